/// Finds rules by which each of several names comes only after another of them.
struct OrderCycles {
  /// A rule: `from` only after `to`.
  struct Edge {
    var rule: Int
    var from: Int
    var to: Int
  }

  struct Cycle: Hashable {
    /// The rule that closes it.
    var rule: Int
    /// The rule that goes on from there.
    var first: Int
  }

  /// In the order of the rules.
  let edges: [Edge]

  /// More than anyone reads; each costs some passes over all rules.
  private static let most = 20

  /// One cycle for each rule that closes one; left out, it would close none with the rules before it.
  var all: [Cycle] {
    var edges = edges
    var cycles: [Cycle] = []
    while cycles.count < Self.most, !Self.isAcyclic(edges[...]) {
      // The shortest beginning with a cycle ends with the rule that closes it.
      var (sound, broken) = (0, edges.count)
      while broken - sound > 1 {
        let middle = (sound + broken) / 2
        if Self.isAcyclic(edges[..<middle]) { sound = middle } else { broken = middle }
      }
      let last = edges.remove(at: broken - 1)
      if let first = Self.path(from: last.to, to: last.from, edges[..<(broken - 1)]) {
        cycles.append(Cycle(rule: last.rule, first: first))
      }
    }
    return cycles
  }

  /// Takes away what nothing comes only after, until nothing is left or all that is left waits for each other.
  private static func isAcyclic(_ edges: ArraySlice<Edge>) -> Bool {
    var waiting: [Int: Int] = [:]
    var next: [Int: [Int]] = [:]
    for edge in edges {
      waiting[edge.from, default: 0] += 1
      next[edge.to, default: []].append(edge.from)
    }
    var free = next.keys.filter { waiting[$0] == nil }
    var taken = 0
    while let name = free.popLast() {
      for follower in next[name] ?? [] {
        taken += 1
        let left = (waiting[follower] ?? 0) - 1
        waiting[follower] = left
        if left == 0 { free.append(follower) }
      }
    }
    return taken == edges.count
  }

  /// The first rule of a way that leads from one name to another; nil when there is none.
  private static func path(from start: Int, to end: Int, _ edges: ArraySlice<Edge>) -> Int? {
    let following = Dictionary(grouping: edges, by: \.from)
    /// By name, the rule with which the way to it begins.
    var reached: [Int: Int?] = [start: nil]
    var queue = [start]
    var place = 0
    while place < queue.count {
      let name = queue[place]
      place += 1
      for edge in following[name] ?? [] where reached[edge.to] == nil {
        let first = (reached[name] ?? nil) ?? edge.rule
        if edge.to == end { return first }
        reached[edge.to] = .some(first)
        queue.append(edge.to)
      }
    }
    return nil
  }
}
