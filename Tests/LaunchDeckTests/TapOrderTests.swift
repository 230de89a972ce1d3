import LaunchCassette
import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Synchronization
import Testing

/// What a tap makes of a transport that does not keep to the order of deliveries.
struct TapOrderTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var deliveries: [Delivery]
    var message: String
    var phase: TransportError.Phase
    var testDescription: String { message }
  }

  private static let connection = Delivery.connection(Connection(id: 1, address: "127.0.0.1:9001"))
  private static let head = Delivery.head(ResponseHead(status: 200))
  private static let early = Delivery.informational(ResponseHead(status: 103))
  private static let chunk = Delivery.chunk(Chunk([1, 2]))
  private static let end = Delivery.end(Ending())

  static let rows = [
    Row(deliveries: [.sent, chunk], message: "delivered chunk before the head of the response", phase: .response),
    Row(deliveries: [.sent, end], message: "delivered end before the head of the response", phase: .response),
    Row(deliveries: [connection, connection], message: "delivered connection after connection", phase: .request),
    Row(deliveries: [.sent, connection], message: "delivered connection after sent", phase: .response),
    Row(deliveries: [.sent, .sent], message: "delivered sent after sent", phase: .response),
    Row(deliveries: [head, early], message: "delivered informational after head", phase: .body),
    Row(deliveries: [head, head], message: "delivered head after head", phase: .body),
    Row(deliveries: [head, chunk, head], message: "delivered head after chunk", phase: .body),
    Row(deliveries: [], message: "returned without an end of the response", phase: .request),
    Row(deliveries: [.sent, head, chunk], message: "returned without an end of the response", phase: .body),
  ]

  @Test(arguments: rows) func `what cannot have happened fails the call and the recording`(row: Row) async throws {
    let log = EventLog()
    let told = Mutex<[TransportError]>([])
    let tap = Tap(ScriptedTransport(row.deliveries), sinks: [log]) { error in told.withLock { $0.append(error) } }
    let diary = Diary()
    let expected = TransportError(.protocol, during: row.phase, "the transport \(row.message)")
    await #expect(throws: expected) { try await tap.send(get("/a"), into: diary) }
    tap.finish()
    #expect(tap.failure == expected)
    #expect(told.withLock { $0 } == [expected])
    #expect(diary.entries.last == "client error protocol")
    // What stands in the cassette is no riddle for its reader.
    let cassette = Cassette(header: CassetteHeader(name: "a"), events: log.events)
    let read = try Cassette(parsing: cassette.serialized, path: "a.cassette")
    #expect(read.warnings == [])
    #expect(read.trace.exchanges.map(\.error) == [expected])
  }

  @Test func `the client hears of it before the transport returns`() async {
    let diary = Diary()
    let transport = ScriptedTransport([.sent, Self.chunk]) { #expect(diary.entries.last == "client error protocol") }
    await #expect(throws: TransportError.self) { try await Tap(transport, sinks: []).send(get("/a"), into: diary) }
    #expect(diary.entries == ["client sent", "client error protocol"])
  }

  @Test func `a delivery after the end fails the recording, not the call that is over`() async throws {
    let log = EventLog()
    let tap = Tap(ScriptedTransport([Self.head, Self.end, Self.chunk]), sinks: [log])
    let error = await #expect(throws: TransportError.self) { try await tap.response(to: get("/a")) }
    #expect(error?.message == "the transport delivered chunk after the end of the response")
    #expect(tap.failure == error)
    #expect(log.trace(name: "a").exchanges.map(\.error) == [nil])
  }

  @Test func `steps may be missing, and an error may come at any point`() async throws {
    let failed = Delivery.failed(TransportError(.reset, during: .body))
    for deliveries in [
      [Self.head, Self.end], [Self.connection, Self.early, Self.early, Self.head, Self.chunk, Self.chunk, Self.end],
      [failed], [.sent, failed], [Self.head, Self.chunk, failed],
    ] {
      let tap = Tap(ScriptedTransport(deliveries), sinks: [])
      try? await tap.send(get("/a"), into: Diary())
      #expect(tap.failure == nil, "\(deliveries)")
    }
  }
}

/// Delivers what it is told to, in no good order, and calls `atEnd` before it returns.
private struct ScriptedTransport: Transport {
  let deliveries: [Delivery]
  let atEnd: @Sendable () -> Void

  init(_ deliveries: [Delivery], atEnd: @escaping @Sendable () -> Void = {}) {
    self.deliveries = deliveries
    self.atEnd = atEnd
  }

  func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    for delivery in deliveries { sink.receive(delivery) }
    atEnd()
    sink.flush()
    if case .failed(let error) = deliveries.last { throw error }
  }
}
