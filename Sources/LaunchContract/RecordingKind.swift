/// What is given as a contract by mistake: a recording, told by how it begins.
enum RecordingKind: String {
  case har = "a HAR"
  case cassette = "a cassette"
  case json = "JSON"

  /// Nil for what may be a contract, none of which begins with a brace.
  init?(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let beginning = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).prefix(4096).filter { $0 > 0x20 }
    guard beginning.first == UInt8(ascii: "{") else { return nil }
    if beginning.starts(with: #"{"cassette":"#.utf8) || beginning.starts(with: #"{"at":"#.utf8) {
      self = .cassette
    } else if beginning.starts(with: #"{"log":"#.utf8) {
      self = .har
    } else {
      self = .json
    }
  }
}
