import LaunchCassette
import LaunchFile

/// What `record` does about a cassette that is there already.
enum RecordMode: String, CaseIterable {
  /// Refuses to replace it.
  case new
  /// Replaces it, once the new one is complete.
  case rewrite
  /// Answers from it what it can, records the rest, and replaces it with both.
  case fill

  static let options = [
    Usage.Option("mode", "new|rewrite|fill", "what to do about an OUT that exists (default: new, refuse)"),
    Usage.Option("force", nil, "replace an OUT that exists, as --mode rewrite does"),
  ]

  /// - Throws: `Failure` for another word, and when `path` exists and may not be replaced.
  init(_ arguments: Arguments, for path: String, verb: String) throws(Failure) {
    let text = arguments.value("mode") ?? RecordMode.new.rawValue
    guard let mode = RecordMode(rawValue: text) else {
      throw Failure.usage("--mode takes new, rewrite or fill, not \(text)", verb: verb)
    }
    self = mode == .new && arguments.has("force") ? .rewrite : mode
    guard self != .new || !pathExists(path) else {
      throw Failure(
        message: "\(path) exists and stays as it is",
        next: "to replace it: add --force; to keep it and record only what is missing: --mode fill")
    }
  }

  /// The recording to answer from; nil when nothing is to be, or nothing is there. A cut one counts.
  func recorded(at path: String) throws(Failure) -> Cassette? {
    guard self == .fill, pathExists(path) || pathExists(path + ".part") else { return nil }
    return try Files.cassette(at: path)
  }
}
