import LaunchHTTP
import Testing

@testable import LaunchCassette

/// What is remembered of header lists is what was noted for the very same list, or nothing.
@Suite struct FieldsMemoryTests {
  private func list(_ count: Int, _ number: Int) -> Fields {
    Fields((0..<count).map { Field("Name-\($0)", "value \(number)") })
  }

  @Test func `a list that was noted is known, also by a copy of it`() {
    var memory = FieldsMemory<Int>()
    #expect(memory[list(3, 1)] == nil)
    memory[list(3, 1)] = 1
    let copy = memory
    memory[list(3, 1)] = 2
    #expect(memory[list(3, 1)] == 2 && copy[list(3, 1)] == 1)
    #expect(memory[list(3, 2)] == nil && memory[list(2, 1)] == nil && memory[[:]] == nil)
  }

  @Test(arguments: 0...40) func `four lists of each length are kept, and the oldest goes first`(count: Int) {
    var memory = FieldsMemory<Int>()
    guard count > 0 else {
      memory[[:]] = 7
      return #expect(memory[[:]] == 7)
    }
    for number in 0..<7 { memory[list(count, number)] = number }
    #expect((0..<7).map { memory[list(count, $0)] } == [nil, nil, nil, 3, 4, 5, 6])
    // One that is noted again keeps its place.
    memory[list(count, 4)] = 40
    #expect((3..<7).map { memory[list(count, $0)] } == [3, 40, 5, 6])
  }

  @Test func `lists of 16 lines more share the room, and are told apart`() {
    var memory = FieldsMemory<Int>()
    memory[list(3, 0)] = 3
    memory[list(19, 0)] = 19
    #expect(memory[list(3, 0)] == 3 && memory[list(19, 0)] == 19 && memory[list(35, 0)] == nil)
  }

  @Test func `letter case, order and duplicates make another list`() {
    let base = Fields([Field("A", "1"), Field("B", "2")])
    let others = [
      Fields([Field("a", "1"), Field("B", "2")]), Fields([Field("B", "2"), Field("A", "1")]),
      Fields([Field("A", "1"), Field("A", "1")]), Fields([Field("A", "1"), Field("B", "2 ")]),
    ]
    var memory = FieldsMemory<Int>()
    memory[base] = 1
    for other in others { #expect(memory[other] == nil) }
  }

  @Test func `a list can be forgotten`() {
    var memory = FieldsMemory<Int>()
    for number in 0..<4 { memory[list(2, number)] = number }
    memory[list(2, 1)] = nil
    #expect((0..<4).map { memory[list(2, $0)] } == [0, nil, 2, 3])
    memory[list(2, 9)] = 9
    #expect(memory[list(2, 9)] == 9)
  }
}
