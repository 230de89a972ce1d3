extension String {
  /// This text cut or filled up to `width` characters; a cut one ends in an ellipsis.
  func padded(to width: Int) -> String {
    count > width ? prefix(width - 1) + "…" : self + blank(width - count)
  }

  /// This text on one line, with every character escaped that a terminal obeys instead of showing it: `\u{1B}`.
  ///
  /// What a server or an app wrote must not move the cursor, break a line, or turn the direction of what follows.
  package var printable: String { escaped { _ in false } }

  /// The same for a text of several lines, which keeps its line breaks and tabs.
  package var printableLines: String { escaped { $0 == "\n" || $0 == "\t" } }

  private func escaped(except isKept: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: { $0.isObeyed && !isKept($0) }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isObeyed, !isKept(scalar) {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  func leftPadded(to width: Int) -> String { blank(max(0, width - count)) + self }

  var trimmingTrailingSpaces: String { String(reversed().drop { $0 == " " }.reversed()) }
}

extension Unicode.Scalar {
  /// Whether it is no sign of its own: controls, marks of direction, separators of lines and other invisible ones.
  fileprivate var isObeyed: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // These two join the parts of emoji, and letters of some scripts.
    case .format: self != "\u{200C}" && self != "\u{200D}"
    default: false
    }
  }
}

func blank(_ count: Int) -> String { String(repeating: " ", count: count) }
