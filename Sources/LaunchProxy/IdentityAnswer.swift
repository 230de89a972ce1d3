import LaunchDeck
import LaunchHTTP
import LaunchTrace

extension Exchange {
  /// The recorded answer with its content as the cassette keeps it, the encoding undone: the header no longer names the
  /// encoding and gives the length of this form. Content that could not be decoded stays in its wire form.
  var identityAnswer: Answer {
    let answer = self.answer
    guard hasUndoneEncoding else { return answer }
    let length = answer.parts.reduce(0) { sum, timed in
      if case .chunk(let chunk) = timed.part { sum + chunk.content.count } else { sum }
    }
    return answer.mappingHead { head in
      head.fields["Content-Encoding"] = nil
      if head.fields["Content-Length"] != nil { head.fields["Content-Length"] = error == nil ? String(length) : nil }
    }
  }

  private var hasUndoneEncoding: Bool {
    switch steps.last?.step {
    case .end(let content), .error(_, let content): content.encoding != nil && !content.isRaw
    default: false
    }
  }
}
