import LaunchDeck
import LaunchHTTP
import LaunchTrace

extension Exchange {
  /// The recorded answer with its content as the cassette keeps it, the encoding undone: neither header nor end name the
  /// encoding any more, and the length is that of this form. Content that could not be decoded stays in its wire form.
  var identityAnswer: Answer {
    var answer = self.answer
    guard let recordedContent, recordedContent.encoding != nil, !recordedContent.isRaw else { return answer }
    for index in answer.parts.indices {
      switch answer.parts[index].part {
      case .head(var head):
        head.fields["Content-Encoding"] = nil
        // A truncated answer declares more than it has; how much that would be decoded is not known.
        let length = error == nil ? String(recordedContent.body.count) : nil
        if head.fields["Content-Length"] != nil { head.fields["Content-Length"] = length }
        answer.parts[index].part = .head(head)
      case .end(let ending): answer.parts[index].part = .end(Ending(trailers: ending.trailers))
      case .informational, .chunk, .fault: break
      }
    }
    return answer
  }

  /// What arrived of the answer's content; nil for a call without an end.
  var recordedContent: Content? {
    switch steps.last?.step {
    case .end(let content), .error(_, let content): content
    default: nil
    }
  }
}
