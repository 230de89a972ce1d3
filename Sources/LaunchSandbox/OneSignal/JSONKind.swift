import LaunchJSON

/// What a member of one of OneSignal's bodies has to be.
enum JSONKind {
  case flag, integer, number, object, array
  /// A text, and an empty one only as `string`.
  case text, string
  /// An integer that is not negative.
  case count
  /// A point in time: a date as text, or seconds.
  case moment

  private func holds(_ value: JSON) -> Bool {
    switch self {
    case .flag: value.bool != nil
    case .integer: value.integer != nil
    case .number: isNumber(value)
    case .object: value.object != nil
    case .array: value.array != nil
    case .text: value.string?.isEmpty == false
    case .string: value.string != nil
    case .count: value.integer.map { $0 >= 0 } ?? false
    case .moment: isNumber(value) || value.string?.isEmpty == false
    }
  }

  private var name: String {
    switch self {
    case .flag: "true or false"
    case .integer: "an integer"
    case .number: "a number"
    case .object: "an object"
    case .array: "an array"
    case .text: "a non-empty string"
    case .string: "a string"
    case .count: "a non-negative integer"
    case .moment: "a time"
    }
  }

  fileprivate func check(_ value: JSON?, _ key: String, isRequired: Bool) throws(Refusal) {
    guard value == nil && !isRequired || value.map(holds) ?? false else {
      throw Refusal(400, "invalid_request", "\(key) has to be \(name)")
    }
  }
}

extension JSONObject {
  /// Refuses the first of the members that is of another kind; members that are not named here may be anything.
  /// - Parameter areRequired: Whether a missing one is refused too.
  func check(_ members: [(key: String, kind: JSONKind)], areRequired: Bool = false) throws(Refusal) {
    for member in members { try member.kind.check(self[member.key], member.key, isRequired: areRequired) }
  }
}

private func isNumber(_ value: JSON) -> Bool {
  switch value {
  case .integer, .number: true
  default: false
  }
}
