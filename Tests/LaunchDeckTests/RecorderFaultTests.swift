import Foundation
import LaunchCassette
import LaunchFile
import LaunchHTTP
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchDeck

/// A recording of which one system call goes wrong.
final class RecorderFaultTests {
  private let folder: String
  private var path: String { folder + "/toy.cassette" }

  init() throws { folder = try createUniqueFolder(prefix: "launchtape-fault-") }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  static let faults: [FaultySystem.Fault] = [
    .fails(ENOSPC), .fails(EIO), .interrupted, .short, .dies(bytes: 0), .dies(bytes: 7), .dies(bytes: 1 << 20),
  ]

  /// Opening, header, every event, fsync, rename, the folder's fsync: one after the other.
  @Test(arguments: faults)
  func `at every call: the old cassette or a whole new one, and what was recorded can be read`(
    _ fault: FaultySystem.Fault
  ) async throws {
    let healthy = FaultySystem()
    let whole = try #require(try await record(healthy, over: "old").cassette)
    // Two commits of each call, marks, header, opening and closing.
    #expect(healthy.count >= 17)
    for number in 1...healthy.count {
      let place: Comment = "\(fault) at call \(number) of \(healthy.count)"
      let (cassette, error) = try await record(FaultySystem(fault, at: number), over: "old")
      switch fault {
      case .interrupted, .short: #expect(cassette != nil && error == nil, place)
      default: break
      }
      if let cassette {
        #expect(cassette.warnings.isEmpty && cassette.trace.isClosed, place)
        #expect(cassette.events.count == whole.events.count, place)
        // Only the durability of the rename may have failed by then.
        #expect(error == nil || number == healthy.count || number == healthy.count - 1, place)
      } else {
        #expect(error is FileError, place)
        #expect(try readFile(path) == Array("old".utf8), place)
        try expectReadablePart(place)
      }
      try removeFile(path + ".part")
    }
  }

  @Test func `a full disk cancels the launch at once`() async throws {
    let system = FaultySystem(.fails(ENOSPC), at: 9)
    var recorder = Recorder(path: path, by: "x")
    recorder.calls = system.calls
    // Without the cancellation the launch would wait for ever.
    let error = await #expect(throws: FileError.self) {
      try await recorder.record(over: toyAnswers) { tap in
        while !Task.isCancelled { tap.mark("tick") }
        try await Task.sleep(for: .seconds(3600))
      }
    }
    #expect(error?.description == "cannot write \(path).part: No space left on device")
    #expect(!fileExists(path))
    try expectReadablePart("full disk")
  }

  @Test func `an impossible delivery cancels the launch at once`() async throws {
    let error = await #expect(throws: TransportError.self) {
      try await Recorder(path: path, by: "x").record(over: HeadlessTransport()) { tap in
        _ = try? await tap.response(to: get("/a"))
        try await Task.sleep(for: .seconds(3600))
      }
    }
    #expect(error?.message == "the transport delivered chunk before the head of the response")
    #expect(!fileExists(path))
    #expect(try Cassette(path: path + ".part").trace.exchanges.map(\.error) == [error])
  }

  @Test func `cancelling the caller cancels the launch, until the cassette is being closed`() async throws {
    let recorder = Recorder(path: path, by: "x")
    let (started, signal) = AsyncStream.makeStream(of: Never.self)
    let waiting = Task {
      try await recorder.record(over: toyAnswers) { _ in
        signal.finish()
        try await Task.sleep(for: .seconds(3600))
      }
    }
    for await _ in started {}
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(!fileExists(path))

    // A launch that has returned is whole, and so is its cassette.
    let closing = Task {
      try await recorder.record(over: toyAnswers) { _ in unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
    }
    try await closing.value
    #expect(try Cassette(path: path).trace.isClosed)
  }

  /// Records over an old file, and returns what is there then: the new cassette if it is whole.
  private func record(_ system: FaultySystem, over old: String) async throws -> (
    cassette: Cassette?, error: (any Error)?
  ) {
    try writeFile(Array(old.utf8), to: path)
    var recorder = Recorder(path: path, by: "x", replaces: true)
    recorder.calls = system.calls
    var failure: (any Error)?
    do {
      try await recorder.record(over: toyAnswers) { tap in
        for name in ["a", "b", "c"] {
          tap.mark(Mark(name))
          _ = try await tap.response(to: get("/\(name)"))
        }
      }
    } catch { failure = error }
    let isOld = try readFile(path) == Array(old.utf8)
    return (isOld ? nil : try Cassette(path: path), failure)
  }

  /// Whatever was written of it, a part is read as far as it goes.
  private func expectReadablePart(_ place: Comment) throws {
    guard let bytes = try? readFile(path + ".part"), bytes.contains(UInt8(ascii: "\n")) else { return }
    let cut = try Cassette(path: path + ".part")
    #expect(cut.warnings.allSatisfy { $0.message.contains("cut off") || $0.message.contains("not complete") }, place)
    let lines = bytes.count { $0 == UInt8(ascii: "\n") }
    #expect(cut.events.count == lines - 1 || cut.events.count == lines, place)
  }
}

private let toyAnswers = AnswerTransport { _ in Answer(head: ResponseHead(status: 200), body: Array("{}".utf8)) }

private struct HeadlessTransport: Transport {
  func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    sink.receive(.chunk(Chunk([1])))
    sink.flush()
    do { try await Task.sleep(for: .seconds(3600)) } catch {
      throw TransportError(.cancelled, during: .response)
    }
  }
}
