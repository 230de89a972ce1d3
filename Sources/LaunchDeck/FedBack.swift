import LaunchHTTP
import LaunchTrace

extension Exchange {
  /// The exchange as the live app has to see it: where its answer has a pseudonym that is tied to a live value, that
  /// value.
  ///
  /// A server gives back what it was sent. An app that finds another identifier of itself in the answer would take itself
  /// for somebody else.
  func fedBack(_ replacements: Replacements) -> Exchange {
    guard !replacements.isEmpty else { return self }
    var copy = self
    var growth = 0
    for (index, timed) in steps.enumerated() {
      switch timed.step {
      case .end(let content):
        guard let changed = content.fedBack(replacements) else { continue }
        growth = changed.body.count - content.body.count
        copy.steps[index].step = .end(changed)
      case .error(let error, let content):
        guard let changed = content.fedBack(replacements) else { continue }
        copy.steps[index].step = .error(error, changed)
      default: continue
      }
    }
    for (index, timed) in steps.enumerated() {
      guard case .response(let head) = timed.step, let changed = head.fedBack(replacements, growth) else { continue }
      copy.steps[index].step = .response(changed)
    }
    return copy
  }
}

extension Content {
  /// Nil where nothing is replaced.
  fileprivate func fedBack(_ replacements: Replacements) -> Content? {
    guard !isRaw, !body.isEmpty else { return nil }
    let bytes = body.slice
    let isJSON = bytes.first { $0 > 0x20 }.map { "{[\"".utf8.contains($0) } ?? false
    guard let replaced = replacements.replaced(bytes.span, isJSON: isJSON) else { return nil }
    var content = self
    content.body = Body(replaced)
    return content
  }
}

extension ResponseHead {
  /// Nil where nothing is replaced.
  /// - Parameter growth: How many bytes longer the content became.
  fileprivate func fedBack(_ replacements: Replacements, _ growth: Int) -> ResponseHead? {
    var head: ResponseHead?
    for (place, field) in fields.enumerated() {
      var replaced: [UInt8]?
      withBytes(of: field.value) { replaced = replacements.replaced($0, isJSON: false) }
      guard let replaced else { continue }
      var changed = head ?? self
      changed.fields[place].value = String(decoding: replaced, as: UTF8.self)
      head = changed
    }
    if growth != 0, let length = fields["Content-Length"].flatMap({ Int($0) }) {
      var changed = head ?? self
      changed.fields["Content-Length"] = String(max(0, length + growth))
      head = changed
    }
    return head
  }
}
