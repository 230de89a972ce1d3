/// Which of the members 0, 1, 2, … belong to which group, in two flat lists: thousands of small groups are held, and
/// walked in order, as one.
package struct Grouping: Sendable {
  /// Where the members of each group begin; one more than there are groups.
  private var starts: [UInt32]
  private var members: [UInt32]

  /// - Parameters:
  ///   - groups: The group of each member; negative for one that belongs to none.
  ///   - count: How many groups there are.
  package init(_ groups: [Int32], count: Int) {
    starts = Array(repeating: 0, count: count + 1)
    for group in groups where group >= 0 { starts[Int(group) + 1] += 1 }
    for group in 0..<count { starts[group + 1] += starts[group] }
    members = Array(repeating: 0, count: Int(starts[count]))
    // Each start moves to the next one's place while its group is filled.
    for (member, group) in groups.enumerated() where group >= 0 {
      members[Int(starts[Int(group)])] = UInt32(member)
      starts[Int(group)] += 1
    }
    for group in (0..<count).reversed() { starts[group + 1] = starts[group] }
    starts[0] = 0
  }

  /// How many groups there are.
  package var count: Int { starts.count - 1 }

  /// How many members a group has.
  @inline(__always)
  package func memberCount(of group: Int) -> Int { Int(starts[group + 1] - starts[group]) }

  /// The member of a group at a place within it, where they stand in their own order.
  /// - Precondition: The group has so many.
  @inline(__always)
  package func member(_ place: Int, of group: Int) -> Int {
    precondition(0..<memberCount(of: group) ~= place, "the group has no such member")
    return Int(members[Int(starts[group]) + place])
  }

  /// The members of a group, in their own order.
  package func members(of group: Int) -> some RandomAccessCollection<Int> {
    members[Int(starts[group])..<Int(starts[group + 1])].lazy.map { Int($0) }
  }
}
