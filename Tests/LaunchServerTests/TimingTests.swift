import LaunchHTTP
import LaunchServer
import Testing

/// When the parts of an answer arrive, and how an answer ends that is a fault.
@Suite(.timeLimit(.minutes(2)))
struct TimingTests {
  @Test func `a streamed answer is written on its deadlines`() async throws {
    let server = try LaunchServer { _ in
      let chunks = (1...5).map { Answer.TimedPart(at: .milliseconds(20 * $0), .chunk(Chunk([UInt8($0)]))) }
      return Answer(
        parts: [Answer.TimedPart(at: .zero, .head(ResponseHead(status: 200)))] + chunks
          + [Answer.TimedPart(at: .milliseconds(120), .end(Ending(trailers: ["T": "1"])))])
    }
    let printed = try await Client.python(
      server.portNumber,
      """
      s = connect()
      began = time.monotonic()
      s.sendall(b"GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
      early, data = 0, b""
      while not data.endswith(b"T: 1\\r\\n\\r\\n"):
          data += s.recv(65536)
          seen = data.count(b"1\\r\\n") - data.count(b"T: 1\\r\\n") - data.count(b"HTTP/1.1\\r\\n")
          early += time.monotonic() - began < 0.02 * seen
      print(early, data.split(b"\\r\\n\\r\\n", 1)[1])
      """)
    #expect(
      printed.text
        == #"0 b'1\r\n\x01\r\n1\r\n\x02\r\n1\r\n\x03\r\n1\r\n\x04\r\n1\r\n\x05\r\n0\r\nT: 1\r\n\r\n'"# + "\n")
  }

  @Test func `faults look on the wire as they are called`() async throws {
    let server = try LaunchServer { request in
      let fault: Answer.Fault =
        switch request.location.path {
        case let path where path.hasSuffix("hang"): .hang
        case let path where path.hasSuffix("reset"): .reset
        default: .truncate
        }
      let head = ResponseHead(status: 200, fields: ["Content-Length": "1000"])
      let begun: [Answer.Part] =
        request.location.path.hasPrefix("/body") ? [.head(head), .chunk(Chunk([1, 2, 3]))] : []
      return Answer(parts: (begun + [.fault(fault)]).map { Answer.TimedPart(at: .zero, $0) })
    }
    let cases = [
      ("/head-reset", Int32(56)), ("/body-reset", 56), ("/head-truncate", 52), ("/body-truncate", 18),
      ("/head-hang", 28),
      ("/body-hang", 28),
    ]
    for (path, status) in cases {
      let output = try await Client.curl(
        "-m", "1", "-o", "/dev/null", "-w", "%{size_download}", "http://\(server.address)\(path)")
      #expect(output.status == status, "\(path)")
      #expect(output.text == (path.hasPrefix("/body") ? "3" : "0"), "\(path)")
    }
  }

  @Test func `a reset comes after what was sent`() async throws {
    let content = [UInt8](repeating: 7, count: 200_000)
    let server = try LaunchServer { _ in
      Answer(parts: [
        Answer.TimedPart(at: .zero, .head(ResponseHead(status: 200, fields: ["Content-Length": "300000"]))),
        Answer.TimedPart(at: .zero, .chunk(Chunk(content))), Answer.TimedPart(at: .zero, .fault(.reset)),
      ])
    }
    for _ in 0..<10 {
      let output = try await Client.curl("-o", "/dev/null", "-w", "%{size_download}", "http://\(server.address)/")
      #expect(output.status == 56)
      #expect(output.text == "200000")
    }
  }

  @Test func `a slow drip arrives whole`() async throws {
    let server = try LaunchServer { _ in
      let drops = (0..<300).map { Answer.TimedPart(at: .milliseconds($0), .chunk(Chunk([0x64]))) }
      return Answer(
        parts: [Answer.TimedPart(at: .zero, .head(ResponseHead(status: 200)))] + drops
          + [Answer.TimedPart(at: .milliseconds(300), .end(Ending()))])
    }
    #expect(try await Client.curl("http://\(server.address)/").text == String(repeating: "d", count: 300))
  }

  @Test func `pipelined answers keep their order and their moments`() async throws {
    let server = try LaunchServer { request in
      let delay = Int(request.location.path.dropFirst()) ?? 0
      return Answer(head: ResponseHead(status: 200), body: Array("<\(delay)>".utf8), after: .milliseconds(delay))
    }
    let printed = try await Client.python(
      server.portNumber,
      """
      s = connect()
      began = time.monotonic()
      for delay in [0, 30, 0, 20, 0]: s.sendall(b"GET /%d HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n" % delay)
      s.shutdown(socket.SHUT_WR)
      text = read_all(s)
      print([part.split(">")[0] for part in text.split("<")[1:]], time.monotonic() - began >= 0.03)
      """)
    #expect(printed.text == "['0', '30', '0', '20', '0'] True\n")
    #expect(server.pacing.samples.count == 2)
    #expect(server.pacing.samples.allSatisfy { $0.lateness >= .zero })
  }

  @Test func `an answer that cannot be written is a 500 that says why`() async throws {
    let server = try LaunchServer { _ in Answer(head: ResponseHead(status: 200, fields: ["A": "b\r\nInjected: c"])) }
    let output = try await Client.curl("-w", "%{http_code}", "http://\(server.address)/")
    #expect(
      output.text == "the answer cannot be written: control byte 13 stands in a field value or reason phrase\n500")
  }
}
