import LaunchHTTP

/// Serves one connection: reads a request, asks for its answer, writes it on time, and begins again.
struct Connection {
  let place: Listener.Place
  /// Stands in for the `Host` an HTTP/1.0 request may leave out.
  let address: String
  let limits: LaunchServer.Limits
  let respond: @Sendable (Request) -> Answer

  /// Returns when the connection is over and closed.
  func serve(_ socket: consuming Socket) {
    var reader = RequestReader(limits: limits)
    var ending = WireAnswer.Ending.keepAlive
    while ending == .keepAlive, place.enter(.idle(since: .now)) {
      switch reader.next(from: socket, onInput: { _ = place.enter(.busy) }) {
      case .request(let head, let body): ending = answer(head, body, on: socket)
      case .refused(let answer): ending = write(answer, from: .now, on: socket)
      case .closed: ending = .close
      }
    }
    end(ending, socket)
    place.leave()
    _ = consume socket
  }

  private func answer(_ head: RequestHead, _ body: [UInt8], on socket: borrowing Socket) -> WireAnswer.Ending {
    let complete = ContinuousClock.now
    let location: Location
    do throws(CodecError) {
      location = try head.location(scheme: "http", fallback: address)
    } catch {
      return write(WireAnswer(status: 400, error.reason.description, to: head.method), from: complete, on: socket)
    }
    let answer = respond(Request(method: head.method, location: location, fields: head.fields, body: body))
    do throws(AnswerError) {
      return write(try WireAnswer(answer, to: head), from: complete, on: socket)
    } catch {
      return write(WireAnswer(status: 500, error.description, to: head.method), from: complete, on: socket)
    }
  }

  private func write(
    _ answer: WireAnswer, from start: ContinuousClock.Instant, on socket: borrowing Socket
  ) -> WireAnswer.Ending {
    for write in answer.writes {
      guard socket.wait(until: start + write.offset), socket.send(write.bytes) else { return .close }
    }
    return socket.wait(until: start + answer.endOffset) ? answer.ending : .close
  }

  /// Does to the client what `ending` says; a server that is stopping waits for nobody.
  private func end(_ ending: WireAnswer.Ending, _ socket: borrowing Socket) {
    if ending == .reset { return socket.prepareReset() }
    guard place.enter(.waiting) else { return }
    if ending == .hang { socket.waitForClose() } else { socket.finish() }
  }
}
