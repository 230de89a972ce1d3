extension String {
  /// This text cut or filled up to `width` characters; a cut one ends in an ellipsis.
  func padded(to width: Int) -> String {
    count > width ? prefix(width - 1) + "…" : self + blank(width - count)
  }

  /// This text with its control characters replaced: what a server or an app wrote must not move a terminal's cursor.
  package var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }

  /// The same for a text of several lines, whose breaks stay.
  var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
  }

  func leftPadded(to width: Int) -> String { blank(max(0, width - count)) + self }

  var trimmingTrailingSpaces: String { String(reversed().drop { $0 == " " }.reversed()) }
}

func blank(_ count: Int) -> String { String(repeating: " ", count: count) }
