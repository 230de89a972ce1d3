/// A rule of a shipped contract, with a launch that keeps it and one that breaks it, as `ShippedLaunch` writes them.
struct ShippedRule: Sendable {
  var sentence: String
  var kept: String
  var broken: String

  init(_ sentence: String, kept: String, broken: String) {
    self.sentence = sentence
    self.kept = kept
    self.broken = broken
  }

  /// By contract, in the order of its file.
  static let all: [String: [ShippedRule]] = [
    "launch": launch, "adjust": adjust, "onesignal": onesignal, "paywall": paywall, "motisig": motisig,
    "retries": retries,
  ]
}
