import LaunchHTTP

/// Serves one connection: reads a request, asks for its answer, writes it or has it written on time, and begins again.
struct Connection {
  let place: Place
  let limits: LaunchServer.Limits
  let pacing: Pacing
  let reply: @Sendable (Arrival) -> Reply

  private var isFirst = true
  private var locator: Locator

  /// Where this thread waits for the pacing thread.
  private lazy var latch = Latch()
  /// When the last paced answer was over. A request sent before that is answered as if it had come then.
  private var freeSince = Moment.now

  /// - Parameter address: Stands in for the `Host` an HTTP/1.0 request may leave out.
  init(
    place: Place, address: String, limits: LaunchServer.Limits, pacing: Pacing,
    reply: @escaping @Sendable (Arrival) -> Reply
  ) {
    self.place = place
    locator = Locator(address: address)
    self.limits = limits
    self.pacing = pacing
    self.reply = reply
  }

  /// Returns when the connection is over and closed.
  mutating func serve(_ descriptor: Int32) {
    var socket = Socket(descriptor, patience: limits.idle)
    var reader = RequestReader(limits: limits)
    var ending = WireAnswer.Ending.keepAlive
    while ending == .keepAlive {
      switch reader.next() {
      case .request(let head, let body): ending = answer(head, body, from: reader.lastInput, on: &socket)
      case .refused(let answer): ending = write(answer, from: reader.lastInput, on: &socket)
      case .expectation: ending = socket.write(continuing) ? .keepAlive : .close
      case .starved: ending = feed(&reader, from: &socket)
      case .closed: ending = .close
      }
    }
    end(ending, &socket)
    place.leave()
  }

  private func feed(_ reader: inout RequestReader, from socket: inout Socket) -> WireAnswer.Ending {
    guard socket.flush() else { return .close }
    let activity: Activity =
      if let began = reader.requestBegan { .reading(since: began) } else {
        .idle(since: max(reader.lastInput, freeSince))
      }
    guard place.enter(activity) else { return .close }
    switch socket.receive(until: reader.deadline) {
    case .bytes(let bytes):
      _ = place.enter(.busy)
      reader.append(bytes, at: .now)
    case .closed: reader.close()
    case .timedOut: reader.timeOut()
    }
    return .keepAlive
  }

  private mutating func answer(
    _ head: RequestHead, _ body: [UInt8], from start: Moment, on socket: inout Socket
  ) -> WireAnswer.Ending {
    let location: Location
    do throws(CodecError) {
      location = try locator.location(of: head)
    } catch {
      return write(WireAnswer(status: 400, error.reason.description, to: head.method), from: start, on: &socket)
    }
    let moment = max(start, freeSince)
    let request = Request(method: head.method, location: location, fields: head.fields, body: body)
    let reply = reply(Arrival(request, at: moment, isFirst: isFirst))
    isFirst = false
    do throws(AnswerError) {
      return write(try reply.wire(to: head), reply, from: moment, on: &socket)
    } catch {
      return write(WireAnswer(status: 500, error.description, to: head.method), from: start, on: &socket)
    }
  }

  /// Writes what is due at once without a detour, and leaves everything else to the pacing thread.
  private mutating func write(
    _ answer: WireAnswer, _ reply: Reply? = nil, from start: Moment, on socket: inout Socket
  ) -> WireAnswer.Ending {
    if answer.isDueAtOnce {
      for write in answer.writes where !socket.write(write.pieces) { return .close }
    } else {
      guard socket.flush() else { return leave(reply) }
      let job = Job(answer, number: reply?.number ?? 0, from: start)
      let outcome = pacing.write(job, to: socket.descriptor, latch)
      freeSince = .now
      if case .gone(let moment) = outcome { return leave(reply, at: moment) }
    }
    if answer.ending == .hang, socket.flush(), place.enter(.waiting) {
      socket.waitForClose()
      return leave(reply)
    }
    return answer.ending
  }

  /// The client left before the answer's end.
  private func leave(_ reply: Reply?, at moment: Moment = .now) -> WireAnswer.Ending {
    reply?.onLeave?(moment)
    return .close
  }

  /// Does to the client what `ending` says; a server that is stopping waits for nobody.
  private func end(_ ending: WireAnswer.Ending, _ socket: inout Socket) {
    if ending == .reset { return socket.prepareReset() }
    guard socket.flush(), place.enter(.waiting) else { return }
    socket.finish()
  }
}

/// `100 Continue`, without any fields.
private let continuing = {
  var pieces = Pieces()
  pieces.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
  return pieces
}()
