package import LaunchHTTP

/// An answer that can be given many times, its bytes put together once.
///
/// The bytes are those for a client that speaks HTTP/1.1, takes content and stays on its connection, as nearly all do;
/// for any other the answer is made and written anew.
package struct PreparedAnswer: Sendable {
  private let make: @Sendable () -> Answer
  private let usual: WireAnswer

  /// - Parameters:
  ///   - answer: What `make` gives.
  ///   - make: Gives the same answer whenever it is asked for.
  /// - Returns: nil for an answer that cannot be written.
  package init?(_ answer: Answer, _ make: @escaping @Sendable () -> Answer) {
    guard let usual = try? WireAnswer(answer, to: RequestHead(method: "GET", target: "/")) else { return nil }
    self.make = make
    self.usual = usual
  }

  package var answer: Answer { make() }

  /// How many bytes it keeps.
  package var byteCount: Int { usual.writes.reduce(0) { $0 + $1.pieces.reduce(0) { $0 + $1.count } } }

  func wire(to request: RequestHead) throws(AnswerError) -> WireAnswer {
    let isUsual = request.version == .http11 && request.keepsAlive && request.method != "HEAD"
    return isUsual ? usual : try WireAnswer(make(), to: request)
  }
}
