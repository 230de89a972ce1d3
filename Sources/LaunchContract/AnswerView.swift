import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// The fields of one answer, decoded when a contract first asks for them.
struct AnswerView {
  private let head: ResponseHead?
  /// Its last step, which has the content.
  private let step: Event.Step
  private lazy var bodyBytes = step.content?.body.bytes ?? []

  init(_ head: ResponseHead?, _ step: Event.Step) {
    self.head = head
    self.step = step
  }

  /// Every value that `field` names; empty when there is none, and for the fields of a request.
  mutating func values(of field: FieldPath) -> [JSON] {
    switch field.root {
    case .status: head.map { [.integer(Int64($0.status))] } ?? []
    case .responseHeader: head?.fields.values(field.name).map(JSON.string) ?? []
    case .responseBody: field.value(inText: bodyBytes).map { [$0] } ?? []
    case .method, .query, .header, .form, .body, .mark: []
    }
  }

  /// `Retry-After` in whole seconds (RFC 9110 section 10.2.3), in microseconds. A date says nothing on a monotonic clock.
  var retryAfter: Int64? {
    guard let text = head?.fields["Retry-After"], let seconds = Int64(text), seconds >= 0 else { return nil }
    let (microseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : microseconds
  }
}

extension Event.Step {
  /// What came with the end, or until the failure.
  fileprivate var content: Content? {
    switch self {
    case .end(let content), .error(_, let content): content
    case .request, .connection, .sent, .informational, .response, .chunk: nil
    }
  }
}
