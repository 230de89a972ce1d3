import LaunchJSON

/// A header's members as they stand in the file.
struct HeaderDraft {
  var version: Int64
  var name: String?
  var recorded: String?
  var by: String?
  var order = OrderDraft()
  var unknown: JSONObject = [:]
}

extension LineReader {
  /// Reads the whole line as a header, of whatever version.
  mutating func header() throws(LineError) -> HeaderDraft {
    try beginObject()
    let start = offset
    var version: Int64?
    var draft = HeaderDraft(version: 0)
    while try nextKey() {
      if at("cassette") {
        set(&version, "cassette", try integer(1...Int64.max, "a version, from 1"))
      } else if at("name") {
        set(&draft.name, "name", try string())
      } else if at("recorded") {
        set(&draft.recorded, "recorded", try string())
      } else if at("by") {
        set(&draft.by, "by", try string())
      } else if try !orderMember(into: &draft.order) {
        try keep(in: &draft.unknown)
      }
    }
    try finish()
    draft.version = try required(version, "cassette", at: start)
    return draft
  }
}
