import LaunchHTTP

extension Answer {
  /// This answer with its final head changed.
  func mappingHead(_ change: (inout ResponseHead) -> Void) -> Answer {
    var answer = self
    for index in answer.parts.indices {
      guard case .head(var head) = answer.parts[index].part else { continue }
      change(&head)
      answer.parts[index].part = .head(head)
    }
    return answer
  }
}
