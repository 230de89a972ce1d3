import LaunchCurl
import LaunchHTTP
import Synchronization

/// Keeps what a transport delivers, and lets a test wait for it.
final class Recorder: TransportSink {
  private struct State {
    var deliveries: [Delivery] = []
    var unflushed = 0
  }

  /// Every delivery, as it is made.
  let stream: AsyncStream<Delivery>
  private let continuation: AsyncStream<Delivery>.Continuation
  private let state = Mutex(State())

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func receive(_ delivery: Delivery) {
    state.withLock { state in
      state.deliveries.append(delivery)
      state.unflushed += 1
    }
    continuation.yield(delivery)
    switch delivery {
    case .end, .failed: continuation.finish()
    default: break
    }
  }

  func flush() { state.withLock { $0.unflushed = 0 } }

  var deliveries: [Delivery] { state.withLock { $0.deliveries } }
  /// How many deliveries no flush has followed yet.
  var unflushed: Int { state.withLock { $0.unflushed } }

  var chunks: [Chunk] { deliveries.compactMap { if case .chunk(let chunk) = $0 { chunk } else { nil } } }
  var content: [UInt8] { chunks.flatMap(\.content) }
  var wire: [UInt8] { chunks.flatMap(\.wire) }
  var heads: [ResponseHead] {
    deliveries.compactMap { delivery in
      switch delivery {
      case .informational(let head), .head(let head): head
      default: nil
      }
    }
  }
  var ending: Ending? { deliveries.lazy.compactMap { if case .end(let ending) = $0 { ending } else { nil } }.first }
  var connection: Connection? {
    deliveries.lazy.compactMap { if case .connection(let connection) = $0 { connection } else { nil } }.first
  }

  /// The kinds of the deliveries, a run of chunks as one.
  var outline: [String] {
    var outline: [String] = []
    for delivery in deliveries where delivery.kind != "chunk" || outline.last != "chunk" {
      outline.append(delivery.kind)
    }
    return outline
  }

  /// Waits until a delivery satisfies `condition`; false when none did.
  func wait(for condition: (Delivery) -> Bool) async -> Bool {
    for await delivery in stream where condition(delivery) { return true }
    return false
  }
}

extension Delivery {
  /// The name of the case.
  var kind: String {
    switch self {
    case .connection: "connection"
    case .sent: "sent"
    case .informational: "informational"
    case .head: "head"
    case .chunk: "chunk"
    case .end: "end"
    case .failed: "failed"
    }
  }
}

extension CurlTransport {
  /// Sends `request` and returns what was delivered, errors included.
  func record(_ request: Request) async -> Recorder {
    let recorder = Recorder()
    try? await send(request, into: recorder)
    return recorder
  }
}
