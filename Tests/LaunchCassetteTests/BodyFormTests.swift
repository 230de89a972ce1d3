import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

@testable import LaunchCassette

struct BodyFormTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var type: String
    var bytes: [UInt8]
    var stored: String
    var testDescription: String { "\(type): \(stored)" }

    init(_ type: String, _ bytes: [UInt8], _ stored: String) {
      self.type = type
      self.bytes = bytes
      self.stored = stored
    }
  }

  static let bodies: [Row] = [
    Row("text/plain; charset=iso-8859-1", [0x47, 0xFC, 0x85], "{\"text\":\"Gü\u{85}\",\"charset\":\"iso-8859-1\"}"),
    Row("text/plain;CHARSET=\"Latin1\"; x=1", [0xE9], #"{"text":"é","charset":"iso-8859-1"}"#),
    Row("text/html; charset=windows-1252", [0x84, 0x80, 0x93], #"{"text":"„€“","charset":"windows-1252"}"#),
    Row("text/html; charset=windows-1252", [0x81], #"{"base64":"gQ=="}"#),
    Row("text/plain; charset=us-ascii", [0x80], #"{"base64":"gA=="}"#),
    Row("text/plain; charset=utf-16le", [0x61, 0], #"{"text":"a","charset":"utf-16le"}"#),
    Row("text/plain; charset=utf-16", [0, 0x61], #"{"text":"a","charset":"utf-16be"}"#),
    Row("text/plain; charset=utf-16", [0xFF, 0xFE, 0x61, 0], "{\"text\":\"\u{FEFF}a\",\"charset\":\"utf-16le\"}"),
    Row(
      "text/plain; charset=utf-16", [0xFE, 0xFF, 0xD8, 0x3D, 0xDE, 0],
      "{\"text\":\"\u{FEFF}😀\",\"charset\":\"utf-16be\"}"),
    Row("text/plain; charset=utf-16be", [0xD8, 0x3D], #"{"base64":"2D0="}"#),
    Row("text/plain; charset=utf-16be", [0, 0x61, 0], #"{"base64":"AGEA"}"#),
    // What is UTF-8 is taken for it, whatever the header says.
    Row("text/plain; charset=iso-8859-1", Array("é".utf8), #"{"text":"é"}"#),
    Row("text/plain; charset=utf-16", Array("ab".utf8), #"{"text":"ab"}"#),
    Row("application/json; charset=iso-8859-1", Array("{}".utf8), #"{"json":{}}"#),
    Row("text/plain; charset=shift_jis", [0x83, 0x65], #"{"base64":"g2U="}"#),
    Row("text/plain; charset=utf-8", [0xE9], #"{"base64":"6Q=="}"#),
    Row("text/plain", [0xE9], #"{"base64":"6Q=="}"#),
  ]

  @Test(arguments: bodies)
  func `text in a declared charset stays readable and keeps its bytes`(row: Row) throws {
    let fields: Fields = ["Content-Type": row.type]
    let request = Request(
      method: "PUT", location: Location(scheme: "http", host: "a"), fields: fields, body: row.bytes)
    let events = [
      call(0, 1, .request(request)), call(1, 1, .response(ResponseHead(status: 200, fields: fields))),
      call(1, 1, .chunk(bytes: row.bytes.count)), call(2, 1, .end(Content(row.bytes))),
    ]
    let written = Cassette(header: CassetteHeader(name: "x"), events: events).serialized
    let lines = String(decoding: written, as: UTF8.self).split(separator: "\n")
    #expect(lines[1].contains("\"body\":" + row.stored + "}}"))
    #expect(lines[4] == #"{"at":2,"call":1,"end":{"body":"# + row.stored + "}}")
    #expect(try Cassette(parsing: written, path: "x").events == events)
  }

  @Test func `every byte survives each charset that has it`() {
    for charset in Charset.allCases {
      for byte in UInt8.min...UInt8.max {
        let bytes = charset.isWide ? [byte, 0x30] : [byte]
        guard let text = charset.decode(bytes) else { continue }
        #expect(charset.encode(text) == bytes)
      }
    }
    #expect(Charset.latin1.encode("€") == nil)
  }

  static let large: [UInt8] = Array("large enough".utf8)

  static func traceOfLargeBodies() -> [Event] {
    let location = Location(scheme: "http", host: "a")
    return [
      call(0, 3, .request(Request(method: "PUT", location: location, body: large + large))),
      call(1, 3, .response(ResponseHead(status: 200))), call(1, 3, .chunk(bytes: 12)),
      call(2, 3, .end(Content(large, wireBytes: 5))),
      call(3, 4, .request(Request(method: "PUT", location: location, body: Array("small".utf8)))),
    ]
  }

  @Test func `a body over the limit goes to a file of its own, named by call and content`() throws {
    let cassette = Cassette(header: CassetteHeader(name: "x"), events: Self.traceOfLargeBodies())
    var files: [String: [UInt8]] = [:]
    let written = try cassette.serialized(bodyLimit: 11) { (name, bytes) throws(FileError) in files[name] = bytes }
    let digests = [Self.large + Self.large, Self.large].map { MD5.hexDigest(of: $0) }
    let names = ["3.request-\(digests[0].prefix(16))", "3-\(digests[1].prefix(16))"]
    #expect(files == [names[0]: Self.large + Self.large, names[1]: Self.large])
    let text = String(decoding: written, as: UTF8.self)
    #expect(text.contains(#""end":{"body":{"file":"\#(names[1])","bytes":12,"md5":"\#(digests[1])"},"wireBytes":5}}"#))
    #expect(text.contains(#""body":{"text":"small"}"#))
    let read = try Cassette(parsing: written, path: "x") { (name) throws(FileError) in
      guard let bytes = files[name] else { throw FileError(.read, name, "gone") }
      return bytes
    }
    #expect(read.events == cassette.events)
    #expect(read.serialized == cassette.serialized)
  }

  @Test func `a store that fails leaves no line behind`() {
    var encoder = EventEncoder(bodyLimit: 3)
    var writer = JSONWriter()
    #expect(throws: FileError.self) {
      try encoder.encode(Self.traceOfLargeBodies()[0], into: &writer) { (name, _) throws(FileError) in
        throw FileError(.write, name, "full")
      }
    }
    #expect(writer.bytes == [])
  }

  static let broken: [(body: String, message: String)] = [
    (#"{"file":"../x","bytes":1,"md5":"0"}"#, "\"../x\" is no name of a file in the folder of bodies"),
    (#"{"file":"","bytes":1,"md5":"0"}"#, "\"\" is no name of a file in the folder of bodies"),
    (#"{"file":"gone","bytes":1,"md5":"0"}"#, "cannot read gone: gone"),
    (#"{"file":"here","bytes":1,"md5":"0"}"#, "the file here has 2 bytes, \"bytes\" says 1"),
    (
      #"{"file":"here","bytes":2,"md5":"0"}"#,
      "the file here was changed: its MD5 is 49f68a5c8493ec2c0bf489821c21fc3b, \"md5\" says 0"
    ),
  ]

  @Test(arguments: broken.indices)
  func `a body whose file is not as it was is told with its place`(index: Int) {
    let line = #"{"at":0,"call":1,"request":{"method":"PUT","url":"http://a/","body":"#
    let error = #expect(throws: CassetteError.self) {
      try Cassette(parsing: cassette(line + Self.broken[index].body + "}}"), path: "x.cassette") {
        (name) throws(FileError) in
        guard name == "here" else { throw FileError(.read, name, "gone") }
        return Array("hi".utf8)
      }
    }
    #expect(error?.description == "x.cassette:2:\(line.utf8.count + 9): error: \(Self.broken[index].message)")
  }

  @Test(arguments: [
    (#"{"file":"here","md5":"0"}"#, #"the member "bytes" is missing"#),
    (#"{"text":"€","charset":"iso-8859-1"}"#, #"iso-8859-1 has no character "€""#),
    (
      #"{"text":"a","charset":"latin9"}"#,
      #"expected a charset: "us-ascii", "iso-8859-1", "windows-1252", "utf-16le", "utf-16be""#
    ),
    (#"{"file":"here","bytes":1,"md5":"0"}"#, "the body is in the file here, and nothing gives it here"),
  ])
  func `a body that says too little or too much is an error`(body: String, message: String) {
    let line = #"{"at":0,"call":1,"request":{"method":"PUT","url":"http://a/","body":"# + body + "}}"
    let error = #expect(throws: CassetteError.self) { try Cassette(parsing: cassette(line), path: "x") }
    #expect(error?.description.hasSuffix("error: \(message)") == true)
  }

  @Test(arguments: [
    ("a/x.cassette", "a/x.cassette.bodies"), ("a/x.cassette.part", "a/x.cassette.bodies"),
    ("a/x.cassette.12.part", "a/x.cassette.bodies"), ("a/x.part", "a/x.bodies"), ("a.1/x.part", "a.1/x.bodies"),
  ])
  func `cut recordings share the folder of bodies`(path: String, folder: String) {
    #expect(BodyFile.folder(ofCassette: path) == folder)
  }
}
