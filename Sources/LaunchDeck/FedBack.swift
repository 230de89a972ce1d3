import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension Exchange {
  /// The exchange as the live app has to see it: where its answer has a pseudonym that is tied to a live value, that
  /// value.
  ///
  /// A server gives back what it was sent. An app that finds another identifier of itself in the answer would take itself
  /// for somebody else.
  func fedBack(_ pairs: [Bindings.Pair]) -> Exchange {
    guard !pairs.isEmpty else { return self }
    var copy = self
    var change = 0
    for index in copy.steps.indices {
      switch copy.steps[index].step {
      case .end(var content):
        (content.body, change) = replaced(content, pairs)
        copy.steps[index].step = .end(content)
      case .error(let error, var content):
        (content.body, _) = replaced(content, pairs)
        copy.steps[index].step = .error(error, content)
      default: break
      }
    }
    for index in copy.steps.indices {
      guard case .response(var head) = copy.steps[index].step else { continue }
      for place in head.fields.indices {
        let value = replaced(Array(head.fields[place].value.utf8), pairs)
        head.fields[place].value = String(decoding: value, as: UTF8.self)
      }
      if change != 0, let length = head.fields["Content-Length"].flatMap({ Int($0) }) {
        head.fields["Content-Length"] = String(max(0, length + change))
      }
      copy.steps[index].step = .response(head)
    }
    return copy
  }
}

/// The body with its pairs replaced, and by how much it grew.
private func replaced(_ content: Content, _ pairs: [Bindings.Pair]) -> (Body, Int) {
  guard !content.isRaw, !content.body.isEmpty else { return (content.body, 0) }
  let bytes = content.body.bytes
  let isJSON = bytes.first { $0 > 0x20 }.map { "{[\"".utf8.contains($0) } ?? false
  let changed = replaced(bytes, isJSON ? pairs.map(\.escaped) : pairs)
  return changed == bytes ? (content.body, 0) : (Body(changed), changed.count - bytes.count)
}

/// In one pass, so that no replacement is replaced again.
private func replaced(_ bytes: [UInt8], _ pairs: [Bindings.Pair]) -> [UInt8] {
  guard pairs.contains(where: { bytes.firstRange(of: $0.pseudonym) != nil }) else { return bytes }
  var result: [UInt8] = []
  result.reserveCapacity(bytes.count)
  var rest = bytes[...]
  while let first = rest.first {
    if let pair = pairs.first(where: { rest.starts(with: $0.pseudonym) }) {
      result += pair.live
      rest = rest.dropFirst(pair.pseudonym.count)
    } else {
      result.append(first)
      rest = rest.dropFirst()
    }
  }
  return result
}

extension Bindings.Pair {
  /// As inside a JSON string.
  fileprivate var escaped: Bindings.Pair {
    var writer = JSONWriter()
    writer.string(String(decoding: live, as: UTF8.self))
    return Bindings.Pair(pseudonym: pseudonym, live: Array(writer.bytes.dropFirst().dropLast()))
  }
}
