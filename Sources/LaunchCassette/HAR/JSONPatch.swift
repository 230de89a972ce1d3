import LaunchJSON

/// What turns one JSON value into another, itself as JSON: how a cassette keeps what a HAR says beyond it.
///
/// - An object patches an object member by member: a member both have is patched, one only the patch has is added, and
///   the keys listed under `-` are removed.
/// - An object patches an array by index, `{"0":…}`, or by `{"~":[index, removed, [inserted…]]}`.
/// - `{"=":…}` and everything that is no object replace the value.
///
/// Numbers that are equal in value and members in another order are no difference.
enum JSONPatch {
  /// The least patch from `base` to `target`; nil when they mean the same.
  ///
  /// Its members stand in the order of `base`, then of `target`, so that making it again from what it was applied to
  /// gives the same patch.
  static func patch(from base: JSON, to target: JSON) -> JSON? {
    switch (base, target) {
    case (.object(let base), .object(let target)): return patch(from: base, to: target)
    case (.array(let base), .array(let target)): return patch(from: base, to: target)
    case (.array, .object): return [wholeKey: target]
    default: return areSame(base, target) ? Optional.none : target
    }
  }

  /// The value that `patch` makes of `base`. Takes any JSON; what does not fit is left out.
  static func apply(_ patch: JSON, to base: JSON) -> JSON {
    guard case .object(let changes) = patch else { return patch }
    if changes.members.count == 1, let whole = changes[wholeKey], base.object != nil || base.array != nil {
      return whole
    }
    switch base {
    case .object(let object): return .object(apply(changes, to: object))
    case .array(let array): return .array(apply(changes, to: array))
    default: return patch
    }
  }

  /// A patch of an object less what it says of these members; nil when that is all, or cannot be told apart.
  static func removing(_ keys: [String], from patch: JSON) -> JSON? {
    guard var changes = patch.object, changes[wholeKey] == Optional.none else { return nil }
    changes.members.removeAll { keys.contains($0.key) }
    if let removed = changes[removalKey]?.array {
      let rest = removed.filter { key in !keys.contains { key == .string($0) } }
      changes[removalKey] = rest.isEmpty ? Optional.none : .array(rest)
    }
    return changes.isEmpty ? Optional.none : .object(changes)
  }

  /// Whether two values mean the same that are not both objects or both arrays. `==` would also take a letter for the
  /// same one composed of two characters.
  private static func areSame(_ base: JSON, _ target: JSON) -> Bool {
    switch (base, target) {
    case (.string(let base), .string(let target)): base.utf8.elementsEqual(target.utf8)
    case (.number, .number), (.number, .integer), (.integer, .number): base.isEquivalent(to: target)
    default: base == target
    }
  }

  private static let removalKey = "-"
  private static let wholeKey = "="
  private static let spliceKey = "~"
  /// `#` is for those who use a patch, to say something that is none.
  private static let ownKeys = [removalKey, wholeKey, spliceKey, "#"]

  private static func patch(from base: JSONObject, to target: JSONObject) -> JSON? {
    guard base.duplicateKey == nil, target.duplicateKey == nil, !ownKeys.contains(where: { target[$0] != nil }) else {
      return JSON.object(base).isEquivalent(to: .object(target)) ? Optional.none : [wholeKey: .object(target)]
    }
    let (baseIndex, targetIndex) = (MemberIndex(base), MemberIndex(target))
    var changes = JSONObject()
    var removed: [JSON] = []
    for member in base.members {
      guard let value = targetIndex[member.key] else {
        removed.append(.string(member.key))
        continue
      }
      guard let patch = patch(from: member.value, to: value) else { continue }
      changes.members.append(JSONObject.Member(member.key, patch))
    }
    changes.members += target.members.filter { baseIndex[$0.key] == nil }
    if !removed.isEmpty { changes.members.append(JSONObject.Member(removalKey, .array(removed))) }
    return changes.isEmpty ? Optional.none : .object(changes)
  }

  private static func apply(_ changes: JSONObject, to base: JSONObject) -> JSONObject {
    var result = base
    for key in changes[removalKey]?.array ?? [] { if let key = key.string { result[key] = nil } }
    let index = MemberIndex(base)
    for change in changes.members where !ownKeys.contains(change.key) {
      if let value = index[change.key] {
        result[change.key] = apply(change.value, to: value)
      } else {
        result.members.append(change)
      }
    }
    return result
  }

  private static func patch(from base: [JSON], to target: [JSON]) -> JSON? {
    if base.count == target.count {
      let pairs = zip(base, target).enumerated()
      let changes = pairs.compactMap { index, pair in
        patch(from: pair.0, to: pair.1).map { JSONObject.Member(String(index), $0) }
      }
      return changes.isEmpty ? Optional.none : .object(JSONObject(changes))
    }
    func areSame(_ pair: (JSON, JSON)) -> Bool { patch(from: pair.0, to: pair.1) == Optional.none }
    let head = zip(base, target).prefix(while: areSame).count
    let tail = zip(base.dropFirst(head).reversed(), target.dropFirst(head).reversed()).prefix(while: areSame).count
    guard head + tail > 0 else { return .array(target) }
    let inserted = JSON.array(Array(target[head..<target.count - tail]))
    return [spliceKey: [.integer(Int64(head)), .integer(Int64(base.count - tail - head)), inserted]]
  }

  private static func apply(_ changes: JSONObject, to base: [JSON]) -> [JSON] {
    var result = base
    if let splice = changes[spliceKey], let start = splice[0]?.integer, let count = splice[1]?.integer,
      let inserted = splice[2]?.array, (0...Int64(base.count)).contains(start),
      (0...Int64(base.count) - start).contains(count)
    {
      result.replaceSubrange(Int(start)..<Int(start + count), with: inserted)
      return result
    }
    for change in changes.members {
      guard let index = Int(change.key), result.indices.contains(index) else { continue }
      result[index] = apply(change.value, to: result[index])
    }
    return result
  }
}

/// Finds members by key: by looking at each in small objects, by a table in large ones.
private struct MemberIndex {
  private let object: JSONObject
  private let table: [[UInt8]: JSON]?

  init(_ object: JSONObject) {
    self.object = object
    table =
      object.members.count <= 24
      ? nil : Dictionary(object.members.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { $1 })
  }

  subscript(key: String) -> JSON? {
    guard let table else { return object[key] }
    return table[Array(key.utf8)]
  }
}
