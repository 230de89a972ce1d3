import Foundation
import LaunchFile
import LaunchJSON
import TestSupport
import Testing

/// Real processes over real sockets and a real disk, killed at random moments of delivering clicks.
struct ClickDeathTests {
  private static let kills = 200
  /// From a probe's first click to its death, at most.
  private static let longestLife = 30_000

  @Test func `200 kills lose no click, and repeat none whose answer was taken down`() async throws {
    let folder = try createUniqueFolder(prefix: "clicks-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try ClickServer()
    defer { server.stop() }
    try await onThread { try run(folder, server) }
  }

  private func run(_ folder: String, _ server: ClickServer) throws {
    var random = SeededGenerator(seed: 20)
    var recorded: [String] = []
    var delivered: [String: Int] = [:]
    for life in 1...Self.kills {
      let probe = try Probe(folder: folder, address: server.address, life: life)
      let death = useconds_t.random(in: 0...UInt32(Self.longestLife), using: &random)
      recorded += try probe.messages(killedAfter: death)
      // What has left the disk is delivered, and may not be sent again by any later life.
      for message in try settledClicks(in: folder) where delivered[message] == nil {
        delivered[message] = server.deliveries(of: message)
      }
    }
    for life in 1...20 {
      try Probe(folder: folder, address: server.address, life: Self.kills + life, isLast: true).finish()
      if try pendingClicks(in: folder).isEmpty { break }
    }
    #expect(try pendingClicks(in: folder).isEmpty)
    #expect(recorded.count >= Self.kills)
    #expect(Set(recorded).count == recorded.count)
    let lost = recorded.filter { server.deliveries(of: $0) == 0 }
    #expect(lost.isEmpty)
    let repeated = delivered.filter { server.deliveries(of: $0.key) != $0.value }
    #expect(repeated.isEmpty)
    #expect(server.records.count == Set(server.records).count)
    print("clicks: \(recorded.count) taken down, \(server.records.count) recorded, \(server.summary)")
  }

  private func settledClicks(in folder: String) throws -> [String] { try clicks(in: folder).settled }

  private func pendingClicks(in folder: String) throws -> [String] { try clicks(in: folder).pending }

  /// Read from the journal as a reader of complete lines would.
  private func clicks(in folder: String) throws -> (settled: [String], pending: [String]) {
    var (settled, pending): ([String], [(key: String, message: String)]) = ([], [])
    let path = joinPath(folder, "launch-state.part")
    for line in try readFile(path).split(separator: UInt8(ascii: "\n")) {
      guard let change = try? JSON(parsing: Array(line)), let key = change["key"]?.string,
        key.hasPrefix("motisig.click.")
      else { continue }
      if let message = change["value"]?["message"]?.string {
        if !pending.contains(where: { $0.key == key }) { pending.append((key, message)) }
      } else if let index = pending.firstIndex(where: { $0.key == key }) {
        settled.append(pending.remove(at: index).message)
      }
    }
    return (settled, pending.map(\.message))
  }

  /// Runs what waits for processes where it holds up nobody.
  private func onThread(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
  }
}
