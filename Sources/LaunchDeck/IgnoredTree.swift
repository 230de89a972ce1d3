/// The ignored places of the requests to one host, to be walked together with a request.
struct IgnoredTree: Sendable {
  /// Whether this place is ignored, and all in it.
  private(set) var isIgnored = false
  private var children: [IgnoredField.Step: IgnoredTree] = [:]

  static let none = IgnoredTree()

  /// Whether nothing is ignored further down.
  var isEmpty: Bool { children.isEmpty }

  init(_ fields: some Sequence<IgnoredField> = []) {
    for field in fields { insert(field.steps[...]) }
  }

  /// What is ignored one step down.
  func child(_ step: IgnoredField.Step) -> IgnoredTree {
    if children.isEmpty { return .none }
    switch (children[step], children[.every]) {
    case (let one?, let every?): return one.joined(with: every)
    case (let one, let every): return one ?? every ?? .none
    }
  }

  private mutating func insert(_ steps: ArraySlice<IgnoredField.Step>) {
    guard let first = steps.first else { return isIgnored = true }
    children[first, default: .none].insert(steps.dropFirst())
  }

  private func joined(with other: IgnoredTree) -> IgnoredTree {
    var tree = self
    tree.isIgnored = isIgnored || other.isIgnored
    tree.children.merge(other.children) { $0.joined(with: $1) }
    return tree
  }
}
