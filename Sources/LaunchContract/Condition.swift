import LaunchJSON

/// One predicate of a `where`: a field of a request or a mark and what it must be.
struct Condition: Hashable, Sendable {
  enum Test: Hashable, Sendable {
    case exists
    case equals(Literal)
    /// The exact opposite of `equals`: what lacks the field passes.
    case differs(Literal)
  }

  var field: FieldPath
  var test: Test

  func holds(for request: inout RequestView) -> Bool { holds(for: request.values(of: field)) }

  func holds(for mark: JSONObject) -> Bool { holds(for: field.value(in: .object(mark)).map { [$0] } ?? []) }

  /// Of several values (a repeated query name or header), one that fits is enough.
  func holds(for values: [JSON]) -> Bool {
    switch test {
    case .exists: !values.isEmpty
    case .equals(let literal): values.contains(where: literal.equals)
    case .differs(let literal): !values.contains(where: literal.equals)
    }
  }
}

/// A value as a contract writes it. A number equals its text form, so `3` fits the form field `3` and the JSON `3`.
struct Literal: Hashable, Sendable {
  let text: String
  private let number: JSON?

  init(_ text: String) {
    self.text = text
    switch try? JSON(parsing: text) {
    case .integer(let value): number = .integer(value)
    case .number(let value): number = .number(value)
    default: number = nil
    }
  }

  func equals(_ value: JSON) -> Bool {
    switch value {
    case .string(let string): string == text
    case .bool(let flag): text == (flag ? "true" : "false")
    case .null: text == "null"
    case .integer, .number: number?.isEquivalent(to: value) ?? false
    case .array, .object: false
    }
  }
}
