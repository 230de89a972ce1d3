import LaunchHTTP
import Testing

@testable import LaunchServer

struct PacerTests {
  private static let millisecond: Int64 = 1_000_000

  private func at(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * Self.millisecond) }

  /// A job begun at 0 that writes texts of a declared length at milliseconds, and ends with the last.
  private func job(_ writes: [(milliseconds: Int64, bytes: [UInt8])]) throws -> Job {
    let total = writes.map(\.bytes.count).reduce(0, +)
    let head = ResponseHead(status: 200, fields: ["Content-Length": String(total)])
    let chunks = writes.map { Answer.TimedPart(at: .milliseconds($0.milliseconds), .chunk(Chunk($0.bytes))) }
    let end = Answer.TimedPart(at: .milliseconds(writes.last?.milliseconds ?? 0), .end(Ending()))
    let answer = try WireAnswer(
      Answer(parts: [Answer.TimedPart(at: .zero, .head(head))] + chunks + [end]),
      to: RequestHead(method: "GET", target: "/"))
    return Job(answer, from: at(0))
  }

  private func count(_ step: Pacer.Step) -> Int? {
    if case .write(_, let bytes, _) = step { bytes.count } else { nil }
  }

  /// Takes the head, due at once, of job `id`.
  private func takeHead(of id: Int, _ pacer: inout Pacer) {
    if let count = count(pacer.next(at: at(0))) { #expect(pacer.wrote(count, of: id, at: at(0)) == nil) }
  }

  @Test func `each part is written at its moment, and measured by the time after it`() throws {
    var pacer = Pacer(patience: .seconds(1))
    pacer.add(try job([(5, [1]), (9, [2, 3])]), id: 1)
    takeHead(of: 1, &pacer)
    #expect(pacer.next(at: at(0)) == .wait(until: at(5)))
    #expect(pacer.next(at: at(5)) == .write(id: 1, bytes: [1], isFollowed: false))
    #expect(pacer.wrote(1, of: 1, at: at(6))?.lateness == .milliseconds(1))
    #expect(pacer.next(at: at(6)) == .wait(until: at(9)))
    #expect(pacer.next(at: at(11)) == .write(id: 1, bytes: [2, 3], isFollowed: false))
    #expect(pacer.wrote(2, of: 1, at: at(11))?.lateness == .milliseconds(2))
    #expect(pacer.next(at: at(11)) == .end(id: 1, isWritten: true))
    #expect(pacer.next(at: at(11)) == .wait(until: .never))
  }

  @Test func `ten thousand parts of an answer end on the exact deadline, however late each was written`() throws {
    let interval = Duration.microseconds(600)
    let head = ResponseHead(status: 200, fields: ["Content-Length": "10000"])
    let chunks = (1...10_000).map { Answer.TimedPart(at: interval * $0, .chunk(Chunk([7]))) }
    let end = Answer.TimedPart(at: interval * 10_000, .end(Ending()))
    let answer = try WireAnswer(
      Answer(parts: [Answer.TimedPart(at: .zero, .head(head))] + chunks + [end]),
      to: RequestHead(method: "GET", target: "/"))
    var pacer = Pacer(patience: .seconds(1))
    pacer.add(Job(answer, from: at(0)), id: 1)
    takeHead(of: 1, &pacer)
    var now = at(0)
    for number in 1...10_000 as ClosedRange<Int64> {
      let due = Moment(nanoseconds: number * 600_000)
      #expect(pacer.next(at: now) == .wait(until: due))
      // The thread wakes late, by another time each time, and writing takes time, too.
      let lateness = number * 7919 % 300_000
      now = Moment(nanoseconds: due.nanoseconds + lateness)
      #expect(pacer.next(at: now) == .write(id: 1, bytes: [7], isFollowed: false))
      now = Moment(nanoseconds: now.nanoseconds + 20_000)
      #expect(pacer.wrote(1, of: 1, at: now)?.lateness == .nanoseconds(lateness + 20_000))
    }
    #expect(now < Moment(nanoseconds: 6_000_320_000))
    #expect(pacer.next(at: now) == .end(id: 1, isWritten: true))
  }

  @Test func `a large part is written in pieces between which others keep their moments`() throws {
    var pacer = Pacer(patience: .seconds(1))
    pacer.add(try job([(5, [UInt8](repeating: 7, count: 200_000))]), id: 1)
    pacer.add(try job([(6, [1])]), id: 2)
    takeHead(of: 1, &pacer)
    takeHead(of: 2, &pacer)
    let first = pacer.next(at: Moment(nanoseconds: 5_000_001))
    #expect(count(first) == Pacer.sliceBytes)
    #expect(pacer.wrote(Pacer.sliceBytes, of: 1, at: at(5))?.lateness == .zero)
    #expect(count(pacer.next(at: Moment(nanoseconds: 5_000_001))) == Pacer.sliceBytes)
    #expect(pacer.wrote(10, of: 1, at: at(5)) == nil)
    // Just before another's moment nothing large is begun.
    #expect(pacer.next(at: Moment(nanoseconds: 5_980_000)) == .wait(until: at(6)))
    #expect(pacer.next(at: at(6)) == .write(id: 2, bytes: [1], isFollowed: false))
    #expect(pacer.wrote(1, of: 2, at: at(6))?.lateness == .zero)
    #expect(pacer.next(at: at(6)) == .end(id: 2, isWritten: true))
    // With no other moment near the pieces are larger.
    var written = Pacer.sliceBytes + 10
    while let more = count(pacer.next(at: at(7))) {
      written += more
      #expect(pacer.wrote(more, of: 1, at: at(7)) == nil)
    }
    #expect(written == 200_000)
  }

  @Test func `large parts of two jobs take turns`() throws {
    var pacer = Pacer(patience: .seconds(1))
    for id in 1...2 {
      pacer.add(try job([(5, [UInt8](repeating: 7, count: 600_000))]), id: id)
      takeHead(of: id, &pacer)
    }
    var order: [Int] = []
    while order.count < 6, case let step = pacer.next(at: at(5)), step != .wait(until: .never) {
      guard case .write(let id, let bytes, _) = step else { continue }
      order.append(id)
      _ = pacer.wrote(bytes.count, of: id, at: at(5))
    }
    #expect(order == [1, 2, 1, 2, 1, 2])
  }

  @Test func `a slow client is parked, counted once, and left out until it has caught up`() throws {
    var pacer = Pacer(patience: .seconds(1))
    pacer.add(try job([(5, [1, 2]), (6, [3]), (50, [4])]), id: 1)
    takeHead(of: 1, &pacer)
    _ = pacer.next(at: at(5))
    #expect(pacer.parked(1, at: at(5)) == true)
    #expect(pacer.next(at: at(8)) == .wait(until: at(1005)))
    #expect(pacer.unpark(1) == true)
    #expect(pacer.unpark(1) == false)
    #expect(pacer.next(at: at(20)) == .write(id: 1, bytes: [1, 2], isFollowed: false))
    #expect(pacer.wrote(1, of: 1, at: at(20)) == nil)
    _ = pacer.next(at: at(20))
    #expect(pacer.parked(1, at: at(20)) == false)
    #expect(pacer.unpark(1) == true)
    #expect(pacer.next(at: at(20)) == .write(id: 1, bytes: [2], isFollowed: false))
    #expect(pacer.wrote(1, of: 1, at: at(20)) == nil)
    #expect(pacer.next(at: at(20)) == .write(id: 1, bytes: [3], isFollowed: false))
    #expect(pacer.wrote(1, of: 1, at: at(20)) == nil)
    #expect(pacer.next(at: at(50)) == .write(id: 1, bytes: [4], isFollowed: false))
    #expect(pacer.wrote(1, of: 1, at: at(50))?.lateness == .zero)
  }

  @Test func `a client that takes nothing for too long is given up, one that went away forgotten`() throws {
    var pacer = Pacer(patience: .seconds(1))
    for id in 1...2 {
      pacer.add(try job([(5, [1])]), id: id)
      takeHead(of: id, &pacer)
    }
    _ = pacer.next(at: at(5))
    #expect(pacer.parked(1, at: at(5)) == true)
    pacer.remove(2)
    #expect(pacer.next(at: at(6)) == .wait(until: at(1005)))
    #expect(pacer.next(at: at(1005)) == .end(id: 1, isWritten: false))
    #expect(pacer.unpark(1) == false)
    #expect(pacer.next(at: at(2000)) == .wait(until: .never))
  }

  @Test func `an answer comes out of its pieces as it went in`() throws {
    for cut in [1, 2, 7, 16_383, 65_536, .max] {
      let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
      var job = try job([(0, Array(content[..<10])), (0, Array(content[10..<60_000])), (0, Array(content[60_000...]))])
      var written: [UInt8] = []
      while let next = job.next(upTo: Pacer.sliceBytes) {
        #expect(!next.bytes.isEmpty)
        let part = next.bytes.prefix(cut)
        written += part
        job.advance(by: part.count)
      }
      #expect(written.suffix(100_000) == content[...])
    }
  }

  @Test func `the log keeps the latest samples`() {
    var log = PacingLog()
    for number in 0..<(PacingLog.limit + 3) {
      log.add(PacingReport.Sample(answer: number, offset: .zero, lateness: .zero))
    }
    let report = log.report
    #expect(report.samples.count == PacingLog.limit)
    #expect(report.samples.first?.answer == 3)
    #expect(report.samples.last?.answer == PacingLog.limit + 2)
  }

  @Test func `what is due next is at hand before its moment, and written only once`() throws {
    var pacer = Pacer(patience: .seconds(1))
    #expect(pacer.upcoming?.id == nil)
    let large = [UInt8](repeating: 7, count: Pacer.sliceBytes + 1)
    pacer.add(try job([(9, [1]), (12, [2])]), id: 1)
    pacer.add(try job([(5, large)]), id: 2)
    takeHead(of: 1, &pacer)
    takeHead(of: 2, &pacer)
    let upcoming = try #require(pacer.upcoming)
    #expect(upcoming == (2, large[..<Pacer.sliceBytes], true))
    #expect(pacer.wrote(Pacer.sliceBytes, of: 2, at: at(5))?.lateness == .zero)
    #expect(pacer.upcoming?.id == 1)
    #expect(pacer.next(at: at(6)) == .write(id: 2, bytes: [7], isFollowed: false))
    #expect(pacer.wrote(1, of: 2, at: at(6)) == nil)
    #expect(pacer.next(at: at(6)) == .end(id: 2, isWritten: true))
    #expect(pacer.next(at: at(6)) == .wait(until: at(9)))
  }

  @Test func `where an answer ends later than its last part, nothing is upcoming`() throws {
    var pacer = Pacer(patience: .seconds(1))
    let head = ResponseHead(status: 200, fields: ["Content-Length": "0"])
    let parts = [Answer.TimedPart(at: .zero, .head(head)), Answer.TimedPart(at: .milliseconds(3), .end(Ending()))]
    let answer = try WireAnswer(Answer(parts: parts), to: RequestHead(method: "GET", target: "/"))
    pacer.add(Job(answer, from: at(0)), id: 1)
    takeHead(of: 1, &pacer)
    #expect(pacer.next(at: at(0)) == .wait(until: at(3)))
    #expect(pacer.upcoming?.id == nil)
  }
}
