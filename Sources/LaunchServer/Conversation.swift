import LaunchHTTP

/// What is said on one connection, from its first request to its end. Pure: bytes, outcomes and moments go in, steps come
/// out, and `reply` says what to answer.
///
/// Requests are answered in order. The answers to requests that came together are sent together, unless one of them has
/// to wait.
struct Conversation: ~Copyable {
  enum Step {
    /// Receive, as soon as there is something, and call `received` or `ended`; nothing before `deadline`: `timedOut`.
    case receive
    /// Send the next of `outbox`, as soon as there is room, and call `sent` or `broke`; no room before `deadline`:
    /// `timedOut`.
    case send
    /// Have the pacing thread write this.
    case pace(Job)
    /// Do nothing until the pacing thread has done its part, and call `paced`.
    case wait
    /// End the sending direction.
    case finish
    /// Close with a reset once the client has all that was sent, or at `deadline`.
    case reset
    case close
  }

  private enum Phase {
    /// Takes requests and answers them.
    case talking
    /// The pacing thread writes an answer that ends like this.
    case pacing(WireAnswer.Ending)
    /// Leaves the client waiting until it goes away.
    case hanging
    /// Has ended its sending direction, and reads on for a moment: closing with unread bytes would reset the connection,
    /// and the client could lose the end of what was sent (RFC 9112 section 9.6).
    case finishing(until: Moment)
    /// A reset throws away bytes still in the send queue.
    case resetting(until: Moment)
    case over
  }

  /// What follows when all is sent that was gathered.
  private enum Sequel {
    case stream(StreamedContent)
    case pace(Job, WireAnswer.Ending)
    case end(WireAnswer.Ending)
  }

  /// How many answers, and about how many bytes of them, are gathered before they are sent.
  private static let answersTogether = 16
  private static let bytesTogether = 64 * 1024
  /// How long a client may take with the end of a connection.
  private static let farewell: Int64 = 1_000_000_000

  private let reply: @Sendable (Arrival) -> Reply
  private let patience: Int64
  private var reader: RequestReader
  private var locator: Locator
  private var phase = Phase.talking
  private var sequel: Sequel?
  private(set) var outbox = Outbox()
  private var isFirst = true
  private var isInputOver = false
  /// When something was last received, sent or paced.
  private var progress: Moment
  /// When the last paced answer was over. A request sent before that is answered as if it had come then.
  private var freeSince: Moment
  /// Who is to know when the client does not wait for the end of the answers under way.
  private var leavers: [@Sendable (Moment) -> Void] = []

  /// - Parameter address: Stands in for the `Host` an HTTP/1.0 request may leave out.
  init(
    address: String, limits: LaunchServer.Limits, at now: Moment, reply: @escaping @Sendable (Arrival) -> Reply
  ) {
    self.reply = reply
    patience = limits.idle.wholeNanoseconds
    reader = RequestReader(limits: limits)
    locator = Locator(address: address)
    progress = now
    freeSince = now
  }

  /// What to do now. `pace` and `finish` are said once, everything else until it was done.
  mutating func next(at now: Moment) -> Step {
    if outbox.isEmpty { stream() }
    if outbox.isEmpty, sequel == nil, case .talking = phase { gather() }
    if !outbox.isEmpty { return .send }
    if let sequel { return begin(sequel, at: now) }
    switch phase {
    case .talking: return .receive
    case .pacing: return .wait
    case .hanging, .finishing: return isInputOver ? .close : .receive
    case .resetting: return .reset
    case .over: return .close
    }
  }

  /// When to call `timedOut`.
  var deadline: Moment {
    if !outbox.isEmpty { return progress.advanced(by: patience) }
    switch phase {
    case .talking: return reader.deadline ?? progress.advanced(by: patience)
    case .finishing(let until), .resetting(let until): return until
    case .pacing, .hanging, .over: return .never
    }
  }

  /// Since when the connection has been of no use; nil when it must not be ended to make room for another.
  var idleSince: Moment? {
    guard outbox.isEmpty, sequel == nil else { return nil }
    switch phase {
    case .talking: return reader.requestBegan ?? progress
    // It has all it gets; that it lingers must not keep others out.
    case .finishing: return progress
    case .pacing, .hanging, .resetting, .over: return nil
    }
  }

  var isPaced: Bool { if case .pacing = phase { true } else { false } }

  /// Whether a stopping server lets it come to its end.
  var isInRequest: Bool {
    switch phase {
    case .talking: !outbox.isEmpty || sequel != nil || reader.requestBegan != nil
    case .pacing: true
    case .hanging, .finishing, .resetting, .over: false
    }
  }
}

/// What happened to the connection.
extension Conversation {
  mutating func received(_ bytes: ArraySlice<UInt8>, at now: Moment) {
    progress = now
    switch phase {
    case .talking, .pacing: reader.append(bytes, at: now)
    case .hanging, .finishing, .resetting, .over: break
    }
  }

  /// The client has closed its side, or broken the connection.
  mutating func ended(at now: Moment) {
    isInputOver = true
    switch phase {
    case .talking, .pacing: reader.close()
    case .hanging: broke(at: now)
    case .finishing, .resetting, .over: break
    }
  }

  mutating func sent(_ count: Int, at now: Moment) {
    progress = now
    outbox.advance(by: count)
  }

  /// The connection is of no use any more.
  mutating func broke(at now: Moment) {
    outbox.removeAll()
    sequel = nil
    phase = .over
    tellLeft(at: now)
  }

  mutating func paced(_ outcome: Pacing.Outcome, at now: Moment) {
    guard case .pacing(let ending) = phase else { return }
    progress = now
    freeSince = now
    phase = .talking
    switch outcome {
    case .gone(let moment):
      tellLeft(at: moment)
      sequel = .end(.close)
    case .written where ending == .keepAlive: leavers = []
    case .written: sequel = .end(ending)
    }
  }

  mutating func timedOut(at now: Moment) {
    if !outbox.isEmpty { return broke(at: now) }
    switch phase {
    case .talking: reader.timeOut()
    case .finishing, .resetting: phase = .over
    case .pacing, .hanging, .over: break
    }
  }
}

extension Conversation {
  /// Answers what has arrived, up to where something has to be sent first.
  private mutating func gather() {
    if !leavers.isEmpty { leavers = [] }
    for _ in 0..<Self.answersTogether where sequel == nil && outbox.count < Self.bytesTogether {
      switch reader.next() {
      case .request(let head, let body): answer(head, body)
      case .refused(let answer): put(answer, from: reader.lastInput)
      case .expectation: outbox.append(continuing)
      case .starved: return
      case .closed: sequel = .end(.close)
      }
    }
  }

  private mutating func answer(_ head: RequestHead, _ body: [UInt8]) {
    let location: Location
    do throws(CodecError) {
      location = try locator.location(of: head)
    } catch {
      return put(WireAnswer(status: 400, error.reason.description, to: head.method), from: reader.lastInput)
    }
    let moment = max(reader.lastInput, freeSince)
    let request = Request(method: head.method, location: location, fields: head.fields, body: body)
    let reply = reply(Arrival(request, at: moment, isFirst: isFirst))
    isFirst = false
    do throws(AnswerError) {
      switch reply.form {
      case .answer(let answer): put(try WireAnswer(answer, to: head), number: reply.number, from: moment)
      case .prepared(let prepared): put(try prepared.wire(to: head), from: moment)
      case .streamed(let streamed):
        let content = try StreamedContent(streamed, to: head)
        outbox.append(content.head)
        sequel = .stream(content)
      }
      if let leaver = reply.onLeave { leavers.append(leaver) }
    } catch {
      put(WireAnswer(status: 500, error.description, to: head.method), from: moment)
    }
  }

  /// Gathers what is due at once, and leaves everything else to the pacing thread.
  private mutating func put(_ answer: WireAnswer, number: Int = 0, from start: Moment) {
    if answer.isDueAtOnce {
      for write in answer.writes { outbox.append(write.pieces) }
      if answer.ending != .keepAlive { sequel = .end(answer.ending) }
    } else {
      sequel = .pace(Job(answer, number: number, from: start), answer.ending)
    }
  }

  /// Makes the next piece of an answer that is made while it is sent. Behind the last one, goes on as the answer says.
  private mutating func stream() {
    while outbox.isEmpty, case .stream(var content) = sequel {
      // The only copy, or what is made would be copied.
      sequel = nil
      if let pieces = content.next() {
        outbox.append(pieces)
        sequel = .stream(content)
      } else if content.ending != .keepAlive {
        sequel = .end(content.ending)
      }
    }
  }

  private mutating func begin(_ sequel: Sequel, at now: Moment) -> Step {
    self.sequel = nil
    switch sequel {
    case .stream: preconditionFailure("what is streamed is over when there is nothing to send")
    case .pace(let job, let ending):
      phase = .pacing(ending)
      return .pace(job)
    case .end(.hang):
      phase = .hanging
      if !isInputOver { return .receive }
      broke(at: now)
      return .close
    case .end(.reset):
      leavers = []
      phase = .resetting(until: now.advanced(by: Self.farewell))
      return .reset
    case .end(.close), .end(.keepAlive):
      leavers = []
      phase = .finishing(until: now.advanced(by: Self.farewell))
      return isInputOver ? .close : .finish
    }
  }

  private mutating func tellLeft(at moment: Moment) {
    for leaver in leavers { leaver(moment) }
    leavers = []
  }
}

/// `100 Continue`, without any fields.
private let continuing = {
  var pieces = Pieces()
  pieces.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
  return pieces
}()
