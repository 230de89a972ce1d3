import LaunchHTTP
import LaunchJSON

/// What a stand-in says; a latency profile decides when.
struct Reply {
  var status: Int
  var fields: Fields
  var body: [UInt8]

  init(_ json: JSON, status: Int = 200) {
    self.init(json.serialized, contentType: "application/json", status: status)
  }

  init(_ body: [UInt8], contentType: String, status: Int = 200) {
    self.status = status
    fields = ["Content-Type": contentType]
    self.body = body
  }
}

/// Why a stand-in does not do what it was asked; each vendor has its own body for it.
struct Refusal: Error {
  var status: Int
  /// A word for programs.
  var code: String
  /// A sentence for people.
  var message: String
  /// Header lines that belong to this refusal, such as `Allow`.
  var fields: Fields

  init(_ status: Int, _ code: String, _ message: String, fields: Fields = [:]) {
    self.status = status
    self.code = code
    self.message = message
    self.fields = fields
  }
}
