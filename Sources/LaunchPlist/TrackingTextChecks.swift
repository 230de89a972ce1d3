extension InfoPlistInspection {
  /// P1 and P2.
  mutating func checkTrackingText(_ root: PlistNode) {
    let key = "NSUserTrackingUsageDescription"
    let values = root.values(of: key)
    if values.isEmpty {
      report(
        .trackingText, .error, root,
        "\(key) is missing; without it the tracking prompt cannot be shown: add a sentence that says what tracking is for"
      )
    }
    for node in values {
      guard let text = string(node, .trackingText, key) else { continue }
      let sentence = text.trimmingBlanks
      if sentence.isEmpty {
        report(.trackingText, .error, node, "\(key) is blank; write a sentence that says what tracking is for")
      } else if let placeholder = Self.placeholder(in: sentence) {
        report(
          .trackingTextQuality, .warning, node,
          "\(key) looks like a placeholder ('\(placeholder)'); write what tracking is for, as the user is shown it")
      } else if sentence.count < 10 {
        report(
          .trackingTextQuality, .warning, node,
          "\(key) has \(sentence.count) characters; write a sentence that says what tracking is for")
      }
    }
  }

  /// What gives a text away that nobody has written for users yet. Words of other languages are not taken for one:
  /// `todo` is Spanish, `TODO` is not. The words are what the check P2 looks for in an app's file, no notes on this code.
  private static func placeholder(in text: String) -> String? {
    let phrases = ["lorem ipsum", "placeholder", "your text here", "your description", "description here", "change me"]
    let words = ["TODO", "FIXME", "TBD", "XXX", "NSUserTrackingUsageDescription"]
    let lowercased = text.lowercased()
    if let phrase = phrases.first(where: lowercased.contains) { return phrase }
    if text.contains("<#") { return "<#" }
    let parts = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.first(where: parts.contains)
  }
}

extension String {
  /// Without blanks and line breaks of any kind at its ends.
  var trimmingBlanks: String {
    let start = drop(while: \.isWhitespace)
    return String(start.prefix(upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex))
  }
}
