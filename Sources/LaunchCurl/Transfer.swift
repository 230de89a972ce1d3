import CCurl
import LaunchHTTP

/// One exchange under way: turns what libcurl calls back with into deliveries.
///
/// Belongs to the engine thread. libcurl has unretained pointers to it, so the engine keeps it in its table until the
/// handle is removed.
final class Transfer {
  let submission: Submission
  let easy: EasyHandle
  /// Something was delivered since the sink was last flushed.
  private(set) var needsFlush = false

  private let ledger: ConnectionLedger
  private var meter: RequestMeter
  private var connection: Connection?
  private var isSecuring = false
  private var hasConnected = false
  private var hasDeliveredConnection = false
  private var hasSent = false
  private var assembler = HeadAssembler()
  private var decoder: BodyDecoder?

  /// Sets up the transfer; it starts when the engine adds the handle.
  /// - Throws: `protocol` when libcurl refuses what the plan says.
  init(_ submission: Submission, ledger: ConnectionLedger) throws(TransportError) {
    self.submission = submission
    self.ledger = ledger
    meter = RequestMeter(bodyBytes: submission.plan.body.count)
    easy = try EasyHandle()
    try easy.configure(for: submission.plan)
    unsafe try easy.callBack(Unmanaged.passUnretained(self).toOpaque())
  }

  func flush() {
    needsFlush = false
    submission.sink.flush()
  }

  /// Delivers how the transfer ended, by libcurl's word; returns the error delivered.
  func finish(_ code: CURLcode) -> TransportError? {
    guard code == CURLE_OK else {
      return fail(
        TransportError(
          code, during: phase, systemError: easy.number(CURLINFO_OS_ERRNO), message: easy.explanation(of: code)))
    }
    guard let decoder else {
      return fail(TransportError(.truncated, during: .response, "the response has no head"))
    }
    deliver(.end(decoder.ending(trailers: assembler.trailers)))
    return nil
  }

  /// Delivers that the transfer was stopped, and why; returns the error delivered.
  func stop(_ reason: TransportError.Reason, _ message: String) -> TransportError {
    fail(TransportError(reason, during: phase, message))
  }

  private func fail(_ error: TransportError) -> TransportError {
    deliverConnection()
    deliver(.failed(error))
    return error
  }

  private func deliver(_ delivery: Delivery) {
    needsFlush = true
    submission.sink.receive(delivery)
  }

  /// How far the transfer has got.
  private var phase: TransportError.Phase {
    if decoder != nil { return .body }
    if hasSent { return .response }
    if hasConnected { return .request }
    if submission.plan.resolvesName && easy.time(CURLINFO_NAMELOOKUP_TIME_T) == .zero { return .dns }
    return isSecuring ? .tls : .connect
  }
}

/// What libcurl calls back with.
extension Transfer {
  /// A connection is ready. Comes again when libcurl repeats the request because a reused connection turned out closed.
  func connected(_ ends: ConnectionLedger.Ends) {
    meter = RequestMeter(bodyBytes: submission.plan.body.count)
    hasConnected = true
    let isReused = easy.number(CURLINFO_NUM_CONNECTS) == 0
    let looked = easy.time(CURLINFO_NAMELOOKUP_TIME_T)
    let connected = easy.time(CURLINFO_CONNECT_TIME_T)
    let secured = easy.time(CURLINFO_APPCONNECT_TIME_T)
    var connection = Connection(
      id: ledger.number(of: ends, isReused: isReused), address: ends.remote, isReused: isReused)
    if !isReused {
      if submission.plan.resolvesName { connection.dns = looked }
      connection.connect = max(.zero, connected - looked)
      if submission.plan.usesTLS { connection.tls = max(.zero, secured - connected) }
    }
    self.connection = connection
  }

  /// A message of the TLS handshake has left. libcurl states the times of TCP and TLS only when both are done.
  func securing() { isSecuring = true }

  /// These bytes of the request have left.
  func sent(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !hasSent else { return }
    unsafe meter.take(bytes)
    guard let version = meter.version else { return }
    connection?.version = version
    deliverConnection()
    if meter.isComplete { deliverSent() }
  }

  func received(headerLine line: [UInt8]) {
    guard let head = assembler.take(line) else { return }
    deliverSent()
    switch head {
    case .informational(let head): deliver(.informational(head))
    case .final(let head):
      decoder = BodyDecoder(head)
      deliver(.head(head))
    }
  }

  func received(body bytes: [UInt8]) {
    guard let chunk = decoder?.chunk(bytes) else { return }
    deliver(.chunk(chunk))
  }

  private func deliverConnection() {
    guard let connection, !hasDeliveredConnection else { return }
    hasDeliveredConnection = true
    deliver(.connection(connection))
  }

  /// Called when the last byte has left, or when the response overtakes it: the request counts as sent by then.
  private func deliverSent() {
    guard !hasSent else { return }
    deliverConnection()
    hasSent = true
    deliver(.sent)
  }
}
