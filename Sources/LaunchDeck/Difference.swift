/// One thing that a request and a recorded one do not have in common.
struct Difference: CustomStringConvertible {
  /// `path[3] is "6", recorded was "5"`.
  var description: String
  /// Whether the recorded one has nothing there.
  var isAddition = false

  init(_ description: String) { self.description = description }

  /// - Parameters:
  ///   - place: `path[3]`, `query.idfa`, `body.properties.tags.mmp_id`, `form.att_status`.
  ///   - asked: Empty when the request lacks it.
  ///   - recorded: Empty when the recorded one lacks it.
  init(at place: String, asked: [String], recorded: [String]) {
    let was = recorded.isEmpty ? "recorded was none" : "recorded was \(shortened(recorded))"
    description = asked.isEmpty ? "\(place) is missing, \(was)" : "\(place) is \(shortened(asked)), \(was)"
    isAddition = recorded.isEmpty
  }
}

extension RequestFields {
  /// Everything that keeps a request with these fields from being answered by a recorded one with the fields `recorded`.
  ///
  /// Where the recorded one has a pseudonym, only a contradiction to `bindings` is a difference. What is inside of an
  /// object that only one of them has is told with the object.
  func differences(from recorded: RequestFields, _ bindings: Bindings, _ pseudonyms: Pseudonyms) -> [Difference] {
    let (here, there) = (byPlace, recorded.byPlace)
    var bindings = bindings
    var differences: [Difference] = []
    var containers: [String] = []
    for place in here.places + there.places.filter({ here.fields[$0] == nil }) {
      if containers.contains(where: { place.hasPrefix("\($0).") || place.hasPrefix("\($0)[") }) { continue }
      let (asked, was) = (here.fields[place] ?? [], there.fields[place] ?? [])
      if asked.count == 1, was.count == 1, let pattern = recorded.pattern(was[0], pseudonyms),
        let values = pattern.0.values(in: bytes[asked[0].value])
      {
        for (id, value) in zip(pattern.ids, values) {
          let use = Bindings.Use(id: id, value: value)
          if let text = bindings.contradiction(of: use) {
            differences.append(Difference(text))
          } else {
            bindings.bind([use], at: 0)
          }
        }
        continue
      }
      let (texts, others) = (asked.map(printed), was.map(recorded.printed))
      if texts == others { continue }
      differences.append(Difference(at: place, asked: texts, recorded: others))
      if (asked + was).contains(where: { $0.kind == .container }) { containers.append(place) }
    }
    return differences
  }

  private func pattern(_ field: Field, _ pseudonyms: Pseudonyms) -> (Pattern, ids: [Int])? {
    pseudonyms.isEmpty || !field.kind.holdsPseudonyms ? nil : pseudonyms.pattern(of: bytes[field.value])
  }

  /// Places in order, and the fields of each; more than one where a JSON object has a key twice.
  private var byPlace: (places: [String], fields: [String: [Field]]) {
    var places: [String] = []
    var byPlace: [String: [Field]] = [:]
    for field in fields {
      let place = place(of: field)
      if byPlace[place] == nil { places.append(place) }
      byPlace[place, default: []].append(field)
    }
    return (places, byPlace)
  }
}

/// Values of a message, each no longer than a line bears.
private func shortened(_ texts: [String]) -> String {
  texts.map { $0.count <= 80 ? $0 : "\($0.prefix(79))…" }.joined(separator: " and ")
}
