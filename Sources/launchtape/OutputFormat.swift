import LaunchCassette
import LaunchFile

/// What a recording can be written as, told by the ending of its path.
enum OutputFormat: String, CaseIterable {
  case cassette, har

  /// - Throws: `Failure` for a path with neither ending.
  init(path: String, verb: String) throws(Failure) {
    let format = Self.allCases.first { path.lowercased().hasSuffix(".\($0.rawValue)") }
    guard let format else {
      throw Failure.usage("\(path) has no ending that says its format: .cassette or .har", verb: verb)
    }
    self = format
  }

  /// - Parameter isPrivate: Whether it is for this user only, as a recording is.
  /// - Throws: `FileError` when something is there and may not be replaced, or it cannot be written.
  func write(_ cassette: Cassette, to path: String, replaces: Bool, isPrivate: Bool) throws(FileError) {
    switch self {
    case .cassette: try cassette.write(to: path, replaces: replaces, isPrivate: isPrivate)
    case .har:
      let journal = try Journal(path: path, replaces: replaces, isPrivate: isPrivate)
      do throws(FileError) {
        try journal.commit(appending: cassette.har)
        try journal.close()
      } catch {
        // Half a HAR is of no use to anybody.
        try? journal.discard()
        throw error
      }
    }
  }
}
