import LaunchJSON

/// A field of a request, an answer or a mark, and what it must be.
struct Condition: Hashable, Sendable {
  enum Test: Hashable, Sendable {
    case exists
    /// The exact opposite of `exists`.
    case isMissing
    case equals(Literal)
    /// The exact opposite of `equals`: what lacks the field passes.
    case differs(Literal)
    /// The whole text fits.
    case matches(TextPattern)
    case isOne(of: [Literal])
    case compares(Comparison, Literal)
  }

  enum Comparison: String, Hashable, Sendable, CaseIterable {
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="

    var isUpper: Bool { self == .less || self == .atMost }
  }

  var field: FieldPath
  var test: Test

  func holds(for request: inout RequestView) -> Bool {
    switch test {
    case .exists: request.has(field)
    case .isMissing: !request.has(field)
    default: holds(for: request.values(of: field))
    }
  }

  func holds(for mark: JSONObject) -> Bool { holds(for: field.value(in: .object(mark)).map { [$0] } ?? []) }

  /// Of several values (a repeated query name or header), one that fits is enough.
  func holds(for values: [JSON]) -> Bool {
    switch test {
    case .exists: !values.isEmpty
    case .isMissing: values.isEmpty
    case .equals(let literal): values.contains(where: literal.equals)
    case .differs(let literal): !values.contains(where: literal.equals)
    case .matches(let pattern): values.contains { $0.plainText.map(pattern.fits) ?? false }
    case .isOne(let literals): values.contains { value in literals.contains { $0.equals(value) } }
    case .compares(let comparison, let literal): values.contains { literal.holds($0, comparison) }
    }
  }
}

extension Condition {
  /// Whether nothing passes both. Finds contradictions with a fixed value and between comparisons, not every one.
  func excludes(_ other: Condition) -> Bool {
    guard field.root == other.field.root, field.steps == other.field.steps else { return false }
    if case .equals(let literal) = test, other.test == .differs(literal) { return true }
    if case .differs(let literal) = test, other.test == .equals(literal) { return true }
    if test == .isMissing { return !other.holds(for: []) }
    if other.test == .isMissing { return !holds(for: []) }
    // Of repeated names and headers each test may find another value.
    guard [.method, .body, .mark].contains(field.root) else { return false }
    if let values = test.onlyValues { return values.allSatisfy { !other.passes($0) } }
    if let values = other.test.onlyValues { return values.allSatisfy { !passes($0) } }
    guard case .compares(let left, let low) = test, case .compares(let right, let high) = other.test else {
      return false
    }
    return !low.meets(left, high, right)
  }

  /// Whether a value that is spelt so may pass, as a text or as a number.
  func passes(_ literal: Literal) -> Bool { literal.spellings.contains { holds(for: [$0]) } }
}

extension Condition {
  /// What it asks for, in words: `body.idfa`, `no body.idfa`, `body.seq = 3`.
  var demand: String {
    switch test {
    case .exists: field.text
    case .isMissing: "no \(field.text)"
    default: "\(field.text) \(test.text)"
    }
  }
}

extension Condition.Test {
  /// The values that alone can pass; nil if there are others.
  fileprivate var onlyValues: [Literal]? {
    switch self {
    case .equals(let literal): [literal]
    case .isOne(let literals): literals
    default: nil
    }
  }

  /// As a contract writes it: `in {3, 4}`.
  var text: String {
    switch self {
    case .exists: "exists"
    case .isMissing: "not exists"
    case .equals(let literal): "= \(literal.written)"
    case .differs(let literal): "!= \(literal.written)"
    case .matches(let pattern): "matches \(pattern.text.quoted)"
    case .isOne(let literals): "in {\(literals.map(\.written).joined(separator: ", "))}"
    case .compares(let comparison, let literal): "\(comparison.rawValue) \(literal.written)"
    }
  }
}
