import LaunchJSON

/// One thing that a request and a recorded one do not have in common.
struct Difference: CustomStringConvertible {
  /// `path`, `query.idfa`, `body.properties.tags.mmp_id`, `form.att_status`.
  var place: String
  /// Nil when the request lacks it.
  var asked: String?
  /// Nil when the recorded one lacks it.
  var recorded: String?

  var description: String {
    switch (asked, recorded) {
    case (let asked?, let recorded?): "\(place) is \(shortened(asked)), recorded was \(shortened(recorded))"
    case (let asked?, nil): "\(place) is \(shortened(asked)), recorded was none"
    case (nil, let recorded?): "\(place) is missing, recorded was \(shortened(recorded))"
    case (nil, nil): place
    }
  }
}

extension RequestKey {
  /// Everything that keeps a request with this key from being answered by one with the key `recorded`.
  func differences(from recorded: RequestKey) -> [Difference] {
    var differences: [Difference] = []
    for (place, asked, was) in [
      ("method", method, recorded.method), ("origin", origin, recorded.origin), ("path", path, recorded.path),
    ] where asked != was {
      differences.append(Difference(place: place, asked: asked, recorded: was))
    }
    differences += LaunchDeck.differences(query, from: recorded.query, at: "query")
    switch (body, recorded.body) {
    case (.json(let asked), .json(let was)) where asked != was:
      if let asked = try? JSON(parsing: asked), let was = try? JSON(parsing: was) {
        differences += LaunchDeck.differences(asked, from: was, at: "body")
      }
    case (.form(let asked), .form(let was)):
      differences += LaunchDeck.differences(asked, from: was, at: "form")
    case (let asked, let was) where asked != was:
      differences.append(Difference(place: "body", asked: asked.summary, recorded: was.summary))
    default: break
    }
    return differences
  }

  /// How far `recorded` is from answering a request with this key, by method and location alone; nil when it has too
  /// little in common to be what was meant. Cheap enough to ask of every recorded exchange.
  func distance(to recorded: RequestKey) -> Int? {
    let others = (method == recorded.method ? 0 : 1) + (origin == recorded.origin ? 0 : 1)
    if path == recorded.path { return others }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let recordedSegments = recorded.path.split(separator: "/", omittingEmptySubsequences: false)
    guard others == 0, segments.count == recordedSegments.count else { return nil }
    let changed = zip(segments, recordedSegments).count { $0 != $1 }
    // Paths that differ in most places are two calls, not one call to two users.
    return changed * 2 <= segments.count ? changed : nil
  }
}

private func differences(_ pairs: [RequestKey.Pair], from recorded: [RequestKey.Pair], at place: String) -> [Difference]
{
  var names: [String] = []
  for pair in pairs + recorded where !names.contains(pair.name) { names.append(pair.name) }
  return names.compactMap { name in
    let asked = pairs.filter { $0.name == name }.map(\.value)
    let was = recorded.filter { $0.name == name }.map(\.value)
    guard asked != was else { return nil }
    func text(_ values: [String]) -> String? {
      values.isEmpty ? nil : values.map { "\"\($0)\"" }.joined(separator: " and ")
    }
    return Difference(place: "\(place).\(name)", asked: text(asked), recorded: text(was))
  }
}

private func differences(_ value: JSON, from recorded: JSON, at place: String) -> [Difference] {
  switch (value, recorded) {
  case (.object(let object), .object(let was)):
    var names: [String] = []
    for member in object.members + was.members where !names.contains(member.key) { names.append(member.key) }
    return names.flatMap { differences(object[$0], from: was[$0], at: "\(place).\($0)") }
  case (.array(let elements), .array(let was)):
    return (0..<max(elements.count, was.count)).flatMap {
      differences(value[$0], from: recorded[$0], at: "\(place)[\($0)]")
    }
  default:
    return value == recorded ? [] : [Difference(place: place, asked: value.text, recorded: recorded.text)]
  }
}

private func differences(_ value: JSON?, from recorded: JSON?, at place: String) -> [Difference] {
  if let value, let recorded { return differences(value, from: recorded, at: place) }
  if value == nil, recorded == nil { return [] }
  return [Difference(place: place, asked: value?.text, recorded: recorded?.text)]
}

extension RequestKey.Body {
  fileprivate var summary: String {
    switch self {
    case .empty: "empty"
    case .json(let bytes): "JSON of \(bytes.count) bytes"
    case .form(let pairs): "a form of \(pairs.count) fields"
    case .bytes(let bytes): "\(bytes.count) bytes"
    }
  }
}

/// A value of a message, no longer than a line bears.
private func shortened(_ text: String) -> String {
  text.count <= 80 ? text : "\(text.prefix(79))…"
}
