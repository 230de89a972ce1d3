package import LaunchHTTP

/// A request that has reached a server, and what only the server knows of it.
package struct Arrival: Sendable {
  package var request: Request
  /// What the offsets of its answer count from: when the request was complete, or the answer before it on this
  /// connection was over.
  package var moment: Moment
  /// Whether it is the first on its connection.
  package var isFirst: Bool

  package init(_ request: Request, at moment: Moment = .now, isFirst: Bool = false) {
    self.request = request
    self.moment = moment
    self.isFirst = isFirst
  }
}

/// What a server does about one request.
package struct Reply: Sendable {
  enum Form {
    case answer(Answer)
    case prepared(PreparedAnswer)
    case streamed(StreamedAnswer)
  }

  let form: Form
  /// What the pacing report calls it.
  package var number = 0
  /// Called on the server's thread when the client did not wait for the end: it closed the connection, broke
  /// it, or took nothing for too long. The moment is when that was noticed, or when the client had sent its last byte.
  package var onLeave: (@Sendable (Moment) -> Void)?

  package init(_ answer: Answer) { form = .answer(answer) }

  package init(_ answer: PreparedAnswer) { form = .prepared(answer) }

  package init(_ answer: StreamedAnswer) { form = .streamed(answer) }

  package var answer: Answer {
    switch form {
    case .answer(let answer): answer
    case .prepared(let prepared): prepared.answer
    case .streamed(let streamed): streamed.answer
    }
  }
}
