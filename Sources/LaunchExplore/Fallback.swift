public import LaunchHTTP

/// What answers the requests of one launch that the cassette has no answer for: retries after a fault, updates that another
/// order splits.
///
/// ```swift
/// let fallback = Fallback { request in Answer(head: ResponseHead(status: 200)) }
/// ```
///
/// Each launch gets a new one, so that none knows of another.
public struct Fallback: Sendable {
  /// The answer; nil when there is none here either.
  public var answer: @Sendable (Request) -> Answer?
  /// Told of what the cassette has answered, in the order of the requests.
  public var note: @Sendable (_ request: Request, _ answer: Answer) -> Void

  public init(
    note: @escaping @Sendable (_ request: Request, _ answer: Answer) -> Void = { _, _ in },
    answer: @escaping @Sendable (Request) -> Answer?
  ) {
    self.note = note
    self.answer = answer
  }
}
