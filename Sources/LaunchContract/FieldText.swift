import LaunchJSON

extension JSON {
  /// The text that equal values have in common: a number equals its text form, however the number is spelt.
  var comparableText: String {
    if case .string(let text) = self { text } else { String(decoding: canonical, as: UTF8.self) }
  }
}

extension [JSON] {
  /// As a message shows the values of a field: `"0a1b2c3d4e…8f9a0b1c2d"`, the middle of a long one left out.
  var shown: String {
    map { value in
      let text = value.text
      return text.count > 32 ? text.prefix(12) + "…" + text.suffix(12) : text
    }.joined(separator: ", ")
  }
}
