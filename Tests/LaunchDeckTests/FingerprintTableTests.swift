import Testing

@testable import LaunchDeck

struct FingerprintTableTests {
  @Test func `what was added is found at its place, however many there are`() {
    var table = FingerprintTable(minimumCapacity: 0)
    for number in 0..<5000 {
      #expect(table.place(of: Fingerprint(number)) == nil)
      table.append(Fingerprint(number))
    }
    #expect(table.count == 5000)
    #expect((0..<5000).allSatisfy { table.place(of: Fingerprint($0)) == $0 })
    #expect(table.place(of: Fingerprint(5000)) == nil)
  }
}
