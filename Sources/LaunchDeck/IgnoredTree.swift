/// The ignored places of the requests to one host, to be walked together with a request.
struct IgnoredTree: Sendable {
  /// Whether this place is ignored, and all in it.
  private(set) var isIgnored = false
  /// By the fingerprint of the name or index.
  private var children: [Fingerprint: IgnoredTree] = [:]
  /// A bit for each of `children`, as most fields have none.
  private var childBits: UInt64 = 0
  /// What is ignored in every member and element; one or none.
  private var everyChild: [IgnoredTree] = []

  static let none = IgnoredTree()

  /// Whether nothing is ignored further down.
  var isEmpty: Bool { children.isEmpty && everyChild.isEmpty }

  init(_ fields: some Sequence<IgnoredField> = []) {
    for field in fields { insert(field.steps[...]) }
  }

  /// What is ignored one step down, at the name or index with this fingerprint.
  func child(_ step: Fingerprint) -> IgnoredTree {
    if everyChild.isEmpty && childBits & step.bit == 0 { return .none }
    switch (children[step], everyChild.first) {
    case (let one?, let every?): return one.joined(with: every)
    case (let one, let every): return one ?? every ?? .none
    }
  }

  private mutating func insert(_ steps: ArraySlice<IgnoredField.Step>) {
    guard let first = steps.first else { return isIgnored = true }
    switch first {
    case .name(let name): insert(steps.dropFirst(), in: Fingerprint(name))
    case .index(let index): insert(steps.dropFirst(), in: Fingerprint(index))
    case .every:
      if everyChild.isEmpty { everyChild = [.none] }
      everyChild[0].insert(steps.dropFirst())
    }
  }

  private mutating func insert(_ steps: ArraySlice<IgnoredField.Step>, in child: Fingerprint) {
    childBits |= child.bit
    children[child, default: .none].insert(steps)
  }

  private func joined(with other: IgnoredTree) -> IgnoredTree {
    var tree = self
    tree.isIgnored = isIgnored || other.isIgnored
    tree.childBits |= other.childBits
    tree.children.merge(other.children) { $0.joined(with: $1) }
    if let every = other.everyChild.first {
      tree.everyChild = [everyChild.first.map { $0.joined(with: every) } ?? every]
    }
    return tree
  }
}
