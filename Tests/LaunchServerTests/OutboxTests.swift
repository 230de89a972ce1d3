import LaunchHTTP
import Testing

@testable import LaunchServer

struct OutboxTests {
  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  private static func pieces(_ sizes: [Int]) -> Pieces {
    var pieces = Pieces()
    for size in sizes { pieces.append(bytes(size)[...]) }
    return pieces
  }

  static let sizes = [
    [], [1], [5, 7], [300, 20_000], [300, 200_000, 2], [70_000, 70_000], [16_384, 1, 16_384, 16_383],
  ]

  @Test(arguments: sizes) func `what goes in comes out, however little of it is taken at a time`(sizes: [Int]) {
    for taken in [1, 7, 16_384, 65_536] where taken > 1 || sizes.reduce(0, +) < 1000 {
      var outbox = Outbox()
      outbox.append(Self.pieces(sizes))
      outbox.append(Self.pieces([3]))
      outbox.append(Self.pieces(sizes))
      let expected = (sizes + [3] + sizes).flatMap(Self.bytes)
      #expect(outbox.count == expected.count)
      var found: [UInt8] = []
      while !outbox.isEmpty {
        let next = outbox.next
        let both = next.first + next.second
        #expect(!next.first.isEmpty && both.count <= Outbox.sliceBytes)
        #expect(next.isFollowed == (both.count < outbox.count))
        found += both.prefix(taken)
        outbox.advance(by: min(taken, both.count))
        #expect(outbox.count == expected.count - found.count)
      }
      #expect(found == expected)
      #expect(outbox.next.first.isEmpty)
    }
  }

  @Test func `a head and the beginning of large content go together`() {
    var outbox = Outbox()
    outbox.append(Self.pieces([300, 50_000]))
    #expect(outbox.next.first.count == 300)
    #expect(outbox.next.second.count == 50_000)
    #expect(!outbox.next.isFollowed)
  }
}
