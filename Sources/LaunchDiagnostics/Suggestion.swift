/// Finds the known name that was probably meant.
package enum Suggestion {
  /// The nearest of `names`; nil when none is near. Of equally near ones the first.
  package static func nearest(to wanted: String, in names: some Sequence<String>) -> String? {
    let wanted = Array(wanted.lowercased())
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    let limit = max(2, wanted.count / 3)
    // Names whose lengths differ by more need no comparison.
    for name in names where name.count <= 64 && abs(name.count - wanted.count) <= limit {
      let distance = distance(wanted, Array(name.lowercased()))
      if distance <= limit, distance < wanted.count, distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name
  }

  /// How many insertions, deletions, replacements and swaps of neighbours lead from one text to the other.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (character == other ? 0 : 1))
        if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
