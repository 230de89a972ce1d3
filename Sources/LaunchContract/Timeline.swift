/// What can be said of a stretch of items, from what can be said of its parts.
protocol Summary: Sendable {
  /// Of no items.
  init()
  /// These items and then those.
  mutating func append(_ next: Self)
}

extension Summary {
  func followed(by next: Self) -> Self {
    var both = self
    both.append(next)
    return both
  }
}

/// Items in order, summed up: each may change until it is settled, at a cost that grows with the logarithm of the number
/// of those that are not.
///
/// What is settled is kept as one summary as far as nothing unsettled lies before it or within. The few items that mostly
/// follow are summed up one by one, many by a tree.
struct Timeline<Value: Summary> {
  private struct Leaf {
    var id: Int
    /// What it says whatever becomes of it.
    var certain: Value
    /// What it says if nothing more happens to it.
    var present: Value
    var isSettled: Bool
  }

  /// Of the settled items at the beginning.
  private var folded: Value
  /// What follows, from `head` on.
  private var leaves: [Leaf] = []
  private var head = 0
  /// A complete binary tree over the certain values: the root at 1, the leaves from `capacity` on. Empty while there are
  /// few.
  private var nodes: [Value] = []
  private var capacity = Self.few
  /// Where an item that is not settled stands, by id.
  private var places = NumberTable<Int>()

  private static var few: Int { 8 }

  init(from folded: Value = Value()) { self.folded = folded }

  /// What is sure about all of them.
  var certain: Value {
    if head == leaves.count { return folded }
    if !nodes.isEmpty { return folded.followed(by: nodes[1]) }
    return leaves[head...].reduce(folded) { $0.followed(by: $1.certain) }
  }

  /// What there is to say if nothing more happens.
  var present: Value { leaves[head...].reduce(folded) { $0.followed(by: $1.present) } }

  /// Whether nothing in it can change.
  var isSettled: Bool { places.isEmpty }

  func contains(_ id: Int) -> Bool { places.contains(id) }

  /// Puts an item at the end.
  mutating func append(_ id: Int, certain: Value, present: Value, isSettled: Bool) {
    if head == leaves.count, isSettled {
      folded.append(certain)
      return
    }
    if leaves.count == capacity { compact() }
    leaves.append(Leaf(id: id, certain: certain, present: present, isSettled: isSettled))
    if !isSettled { places[id] = leaves.count - 1 }
    refresh(leaves.count - 1)
  }

  /// Changes an item that was not settled; does nothing for any other.
  mutating func update(_ id: Int, certain: Value, present: Value, isSettled: Bool) {
    guard let place = places[id] else { return }
    leaves[place] = Leaf(id: id, certain: certain, present: present, isSettled: isSettled)
    if isSettled { places.take(id) }
    refresh(place)
    foldHead()
  }

  private mutating func refresh(_ place: Int) {
    if nodes.isEmpty { return }
    var node = capacity + place
    nodes[node] = leaves[place].certain
    while node > 1 {
      node /= 2
      nodes[node] = nodes[2 * node].followed(by: nodes[2 * node + 1])
    }
  }

  private mutating func foldHead() {
    let first = head
    while head < leaves.count, leaves[head].isSettled {
      folded.append(leaves[head].certain)
      leaves[head].certain = Value()
      leaves[head].present = Value()
      head += 1
    }
    for place in first..<head { refresh(place) }
    guard head == leaves.count else { return }
    leaves.removeAll(keepingCapacity: true)
    head = 0
  }

  /// Joins settled neighbours to one, and makes room.
  private mutating func compact() {
    var kept: [Leaf] = []
    for leaf in leaves[head...] {
      if leaf.isSettled, let last = kept.last, last.isSettled {
        let joined = last.certain.followed(by: leaf.certain)
        kept[kept.count - 1] = Leaf(id: leaf.id, certain: joined, present: joined, isSettled: true)
      } else {
        kept.append(leaf)
      }
    }
    leaves = kept
    head = 0
    for (place, leaf) in leaves.enumerated() where !leaf.isSettled { places[leaf.id] = place }
    while capacity < 2 * leaves.count { capacity *= 2 }
    guard capacity > Self.few else { return }
    nodes = Array(repeating: Value(), count: 2 * capacity)
    for (place, leaf) in leaves.enumerated() { nodes[capacity + place] = leaf.certain }
    for node in stride(from: capacity - 1, to: 0, by: -1) {
      nodes[node] = nodes[2 * node].followed(by: nodes[2 * node + 1])
    }
  }
}

extension Timeline: Sendable {}
