import Foundation
import LaunchHTTP
import Testing

/// Python's `http.client` and `http.server` read what we write, and we read what they write.
struct PythonOracleTests {
  @Test func `Python's client reads our responses`() throws {
    let field: Fields = ["Set-Cookie": "a=1", "set-cookie": "b=2", "X-Text": "ü, \t x", "Empty": ""]
    let contents: [[UInt8]] = [[], Array("hello".utf8), Array((0...255).map { UInt8($0) })]
    var lines: [String] = []
    var expected: [String] = []
    for content in contents {
      var sized = ResponseHead(status: 201, fields: field)
      sized.fields.append("Content-Length", String(content.count))
      var chunked = ResponseHead(status: 404, fields: field)
      chunked.fields.append("Transfer-Encoding", "chunked")
      let chunks = content.map { ChunkedCoding.chunk([$0]) }.joined()
      let early = try ResponseHead(status: 100).serialized()
      let messages: [(ResponseHead, [UInt8])] = [
        (sized, try sized.serialized() + content),
        (chunked, early + (try chunked.serialized()) + chunks + (try ChunkedCoding.end(trailers: ["T": "1"]))),
        (ResponseHead(status: 200), try ResponseHead(status: 200).serialized() + content),
      ]
      for (head, bytes) in messages {
        lines.append("GET \(hex(bytes))")
        expected.append("\(head.status) \(text(head.fields)) \(hex(content))")
      }
      lines.append("HEAD \(hex(try sized.serialized()))")
      expected.append("201 \(text(sized.fields)) ")
    }
    #expect(try python("read responses", lines) == expected)
  }

  @Test func `Python's server reads our requests`() throws {
    let location = try Location(parsing: "http://127.0.0.1:9001/a%20b/é?q=1&q=2")
    let requests = [
      Request(method: "GET", location: location, fields: ["X": "1", "x": "ü"]),
      Request(
        method: "POST", location: location, fields: ["Content-Type": "a/b"], body: Array((0...255).map { UInt8($0) })),
      Request(method: "PATCH", location: location),
    ]
    let heads = requests.map { RequestHead($0) }
    let bytes = try zip(heads, requests).map { try $0.serialized() + $1.body.bytes }
    let expected = zip(heads, requests).map { head, request in
      "\(head.method) \(hex(Array(head.target.utf8))) \(text(head.fields)) \(hex(request.body.bytes))"
    }
    #expect(try python("read requests", [hex(bytes.flatMap { $0 })]) == expected)
  }

  @Test func `we read the requests of Python's client`() throws {
    let bytes = try python("write requests", []).map(unhex)
    let outcome = readRequests(bytes.flatMap { $0 })
    #expect(outcome.error == nil)
    let text = outcome.pieces.map { piece in
      switch piece {
      case .head(let head): "\(head.method) \(head.target) \(head.fields["X-A"] ?? "-") \(head.fields["Host"] ?? "-")"
      case .content(let content): String(decoding: content, as: UTF8.self)
      case .end(let trailers): "end \(trailers.count)"
      }
    }
    #expect(
      text == [
        "GET /a?b=c é h", "end 0", "POST /form - h", "name=value", "end 0", "PUT /chunked - h", "one, two, three",
        "end 0",
      ])
    let all = bytes.flatMap { $0 }
    for cut in all.indices { #expect(readRequests(all, cuts: [cut]) == outcome) }
  }

  @Test func `we read the responses of Python's server`() throws {
    let bytes = try python("write responses", []).flatMap(unhex)
    let outcome = readResponses(bytes, to: ["GET", "POST", "HEAD", "GET"])
    #expect(outcome.error == nil)
    let text = outcome.pieces.map { piece in
      switch piece {
      case .informational(let head): "informational \(head.status)"
      case .head(let head): "\(head.status) \(head.fields.values("Set-Cookie"))"
      case .content(let content): String(decoding: content, as: UTF8.self)
      case .end(let trailers): "end \(trailers.count)"
      }
    }
    #expect(
      text == [
        #"200 ["a=1", "b=2"]"#, "sized", "end 0", "informational 100", "200 []", "in chunks", "end 1", "204 []",
        "end 0",
        "404 []", "until the end", "end 0",
      ])
    for cut in bytes.indices {
      #expect(readResponses(bytes, to: ["GET", "POST", "HEAD", "GET"], cuts: [cut]) == outcome)
    }
  }

  private func text(_ fields: Fields) -> String {
    fields.map { "\($0.name)=\(hex(Array($0.value.utf8)))" }.joined(separator: ",")
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func unhex(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.utf8.count - 1, by: 2).compactMap { offset in
      UInt8(text.dropFirst(offset).prefix(2), radix: 16)
    }
  }

  /// Runs the oracle in `mode` on `lines` and returns the lines it prints.
  private func python(_ mode: String, _ lines: [String]) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", oracle] + mode.split(separator: " ").map(String.init)
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(lines.joined(separator: "\n").utf8))
    try input.fileHandleForWriting.close()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

private let oracle = #"""
  import http.client, http.server, io, sys

  class Socket:
      def __init__(self, received=b""):
          self.received, self.sent = received, b""
      def makefile(self, mode, *rest):
          return io.BytesIO(self.received)
      def sendall(self, data):
          self.sent += bytes(data)
      def close(self):
          pass

  def fields(pairs):
      return ",".join("%s=%s" % (name, value.encode("latin-1").hex()) for name, value in pairs)

  def show_response(line):
      method, data = line.split(" ")
      response = http.client.HTTPResponse(Socket(bytes.fromhex(data)), method=method)
      response.begin()
      content = response.read()
      print(response.status, fields(response.getheaders()), content.hex())

  class Reader(http.server.BaseHTTPRequestHandler):
      protocol_version = "HTTP/1.1"
      def setup(self):
          self.rfile, self.wfile = io.BytesIO(self.request), io.BytesIO()
      def finish(self):
          pass
      def log_message(self, *rest):
          pass
      def show(self):
          content = self.rfile.read(int(self.headers["Content-Length"] or 0))
          target = self.path.encode("latin-1").hex()
          print(self.command, target, fields(self.headers.items()), content.hex())
      do_GET = do_POST = do_PATCH = show

  class Writer(Reader):
      def finish(self):
          print(self.wfile.getvalue().hex())
      def do_GET(self):
          if self.path == "/last":
              self.send_response(404)
              self.end_headers()
              self.wfile.write(b"until the end")
              return
          self.send_response(200)
          self.send_header("Set-Cookie", "a=1")
          self.send_header("Set-Cookie", "b=2")
          self.send_header("Content-Length", "5")
          self.end_headers()
          self.wfile.write(b"sized")
      def do_POST(self):
          self.send_response(200)
          self.send_header("Transfer-Encoding", "chunked")
          self.end_headers()
          for part in (b"in ", b"chunks"):
              self.wfile.write(b"%X;x=1\r\n%s\r\n" % (len(part), part))
          self.wfile.write(b"0\r\nDigest: 1\r\n\r\n")
      def do_HEAD(self):
          self.send_response(204)
          self.end_headers()

  def write_requests():
      connection = http.client.HTTPConnection("h", 80)
      connection.sock = Socket()
      connection.request("GET", "/a?b=c", headers={"X-A": "é".encode()})
      connection._HTTPConnection__state = "Idle"
      connection.request("POST", "/form", "name=value", {"Content-Type": "application/x-www-form-urlencoded"})
      connection._HTTPConnection__state = "Idle"
      connection.request("PUT", "/chunked", iter([b"one, ", b"two, ", b"three"]))
      print(connection.sock.sent.hex())

  what = " ".join(sys.argv[1:])
  if what == "read responses":
      for line in sys.stdin.read().splitlines():
          show_response(line)
  elif what == "read requests":
      Reader(bytes.fromhex(sys.stdin.read()), None, None)
  elif what == "write requests":
      write_requests()
  else:
      Writer(b"GET / HTTP/1.1\r\n\r\nPOST / HTTP/1.1\r\nExpect: 100-continue\r\n\r\nHEAD / HTTP/1.1\r\n\r\n"
             b"GET /last HTTP/1.1\r\nConnection: close\r\n\r\n", None, None)
  """#
