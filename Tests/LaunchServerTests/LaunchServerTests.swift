import LaunchHTTP
import LaunchServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LaunchServerTests {
  /// Says what the request was.
  private static let echo: @Sendable (Request) -> Answer = { request in
    let text = "\(request.method) \(request.location) \(request.fields["X"] ?? "-") \(request.body.count)"
    return Answer(head: ResponseHead(status: 200, fields: ["X-Echo": "1"]), body: Array(text.utf8))
  }

  @Test func `requests on one connection are answered in order`() async throws {
    let server = try LaunchServer(respond: Self.echo)
    let printed = try await Client.python(
      server.portNumber,
      """
      c = http.client.HTTPConnection("127.0.0.1", PORT, timeout=20)
      for method, path, body, fields in [
          ("GET", "/a%20b?q=1", None, {"X": "y"}), ("POST", "/form", b"x" * 100000, {}),
          ("PUT", "/chunked", iter([b"one", b"two"]), {}), ("HEAD", "/", None, {}), ("DELETE", "http://api.adapty.io/x", None, {})]:
          c.request(method, path, body, fields)
          r = c.getresponse()
          print(r.status, r.getheader("X-Echo"), r.read().decode().replace(str(PORT), "PORT"))
      """)
    #expect(
      printed.text == """
        200 1 GET http://127.0.0.1:PORT/a%20b?q=1 y 0
        200 1 POST http://127.0.0.1:PORT/form - 100000
        200 1 PUT http://127.0.0.1:PORT/chunked - 6
        200 1\u{20}
        200 1 DELETE http://api.adapty.io/x - 0

        """)
  }

  @Test func `pipelined requests are answered in order, also byte by byte`() async throws {
    let server = try LaunchServer(respond: Self.echo)
    let printed = try await Client.python(
      server.portNumber,
      """
      two = b"GET /1 HTTP/1.1\\r\\nHost: h\\r\\n\\r\\nPOST /2 HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 3\\r\\nConnection: close\\r\\n\\r\\nabc"
      print(talk(two).count("HTTP/1.1 200 OK"), talk(two).endswith("POST http://h/2 - 3"))
      s = connect()
      for index in range(len(two)):
          s.sendall(two[index:index + 1])
          if index % 40 == 0: time.sleep(0.001)
      print(read_all(s) == talk(two))
      """)
    #expect(printed.text == "2 True\nTrue\n")
  }

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

  static let garbage: [(request: String, begin: String)] = [
    (#"b"GET /\r\n\r\n""#, "HTTP/1.1 400 "), (#"b"\x16\x03\x01\x02\x00\x01\n""#, "HTTP/1.1 400 "),
    (#"b"GET / HTTP/1.1\r\n\r\n""#, "HTTP/1.1 400 "), (#"b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n""#, "HTTP/1.1 400 "),
    (#"b"GET / HTTP/2.0\r\nHost: h\r\n\r\n""#, "HTTP/1.1 505 "),
    (#"b"GET /" + b"x" * 70000 + b" HTTP/1.1\r\nHost: h\r\n\r\n""#, "HTTP/1.1 431 "),
    (#"b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n""#, "HTTP/1.1 501 "),
    (#"b"CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n""#, "HTTP/1.1 501 "),
    (#"b"OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n""#, "HTTP/1.1 400 "),
    (#"b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\n""#, "HTTP/1.1 413 "),
    (#"b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" + b"x" * 2000"#, "HTTP/1.1 413 "),
    (#"b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n""#, "HTTP/1.1 400 "),
  ]

  @Test(arguments: garbage) func `a wrong request gets one clear line and the connection closes`(
    row: (request: String, begin: String)
  ) async throws {
    let server = try LaunchServer(limits: LaunchServer.Limits(bodyBytes: 1000), respond: Self.echo)
    let printed = try await Client.python(server.portNumber, "print(talk(\(row.request)), end='')")
    #expect(printed.text.hasPrefix(row.begin))
    #expect(printed.text.contains("Connection: close"))
    #expect(printed.text.split(separator: "\n").last?.isEmpty == false)
  }

  @Test func `a client that breaks off is told, or forgotten`() async throws {
    let server = try LaunchServer(respond: Self.echo)
    let printed = try await Client.python(
      server.portNumber,
      """
      s = connect()
      s.sendall(b"POST / HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 5\\r\\n\\r\\nab")
      s.shutdown(socket.SHUT_WR)
      print(read_all(s).split("\\r\\n")[0])
      for _ in range(20):
          s = connect()
          s.sendall(b"GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
          s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
          s.close()
      print(talk(b"GET / HTTP/1.0\\r\\n\\r\\n").split("\\r\\n")[-1].replace(str(PORT), "PORT"))
      """)
    #expect(printed.text == "HTTP/1.1 400 Bad Request\nGET http://127.0.0.1:PORT/ - 0\n")
  }

  @Test func `a client that waits for 100 Continue gets it`() async throws {
    let server = try LaunchServer(limits: LaunchServer.Limits(bodyBytes: 10), respond: Self.echo)
    let printed = try await Client.python(
      server.portNumber,
      """
      def expect(length):
          s = connect()
          s.sendall(b"POST / HTTP/1.1\\r\\nHost: h\\r\\nConnection: close\\r\\nExpect: 100-continue\\r\\nContent-Length: %d\\r\\n\\r\\n" % length)
          first = s.recv(65536)
          if first.startswith(b"HTTP/1.1 100 Continue\\r\\n\\r\\n"):
              s.sendall(b"x" * length)
          return first[:12], read_all(s)[:12]
      print(expect(5), expect(11)[0])
      """)
    #expect(printed.text == "(b'HTTP/1.1 100', 'HTTP/1.1 200') b'HTTP/1.1 413'\n")
  }

  @Test func `an answer that cannot be written is a 500 that says why`() async throws {
    let server = try LaunchServer { _ in Answer(head: ResponseHead(status: 200, fields: ["A": "b\r\nInjected: c"])) }
    let output = try await Client.curl("-w", "%{http_code}", "http://\(server.address)/")
    #expect(
      output.text == "the answer cannot be written: control byte 13 stands in a field value or reason phrase\n500")
  }

  @Test func `sixty-four clients at once each get their own answers`() async throws {
    let server = try LaunchServer { request in
      Answer(
        head: ResponseHead(status: 200), body: request.body.bytes + Array(request.location.path.utf8),
        after: .milliseconds(5)
      )
    }
    let printed = try await Client.python(
      server.portNumber,
      """
      wrong = []
      def client(number):
          c = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
          for round in range(20):
              body, path = (b"%d " % number) * 500, "/%d/%d" % (number, round)
              c.request("POST", path, body)
              if c.getresponse().read() != body + path.encode(): wrong.append(path)
      threads = [threading.Thread(target=client, args=(n,)) for n in range(64)]
      for t in threads: t.start()
      for t in threads: t.join()
      print(len(wrong))
      """)
    #expect(printed.text == "0\n")
  }

  @Test func `beyond the limit an idle connection makes room`() async throws {
    let server = try LaunchServer(limits: LaunchServer.Limits(connections: 2), respond: Self.echo)
    let printed = try await Client.python(
      server.portNumber,
      """
      def is_served(s):
          try:
              s.sendall(b"GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
              return s.recv(65536).startswith(b"HTTP/1.1 200")
          except ConnectionError:
              return False
      a, b = connect(), connect()
      print(is_served(a), is_served(b))
      c = connect()
      print(is_served(c), is_served(a) + is_served(b))
      """)
    #expect(printed.text == "True True\nTrue 1\n")
  }

  @Test func `a silent client is closed, a half-sent request is told`() async throws {
    let server = try LaunchServer(limits: LaunchServer.Limits(idle: .milliseconds(50)), respond: Self.echo)
    let printed = try await Client.python(
      server.portNumber,
      """
      print(repr(talk(b"")))
      # Empty when this client was too slow even for its first bytes.
      while not (text := talk(b"GET / HTTP/1.1\\r\\n")): pass
      print(text.split("\\r\\n")[0])
      """)
    #expect(printed.text == "''\nHTTP/1.1 408 Request Timeout\n")
  }

  @Test func `stopping lets an answer finish and ends idle and hanging connections at once`() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: String.self)
    let server = try LaunchServer(limits: LaunchServer.Limits(grace: .seconds(20))) { request in
      arrived.yield(request.location.path)
      if request.location.path == "/hang" { return Answer(parts: [Answer.TimedPart(at: .zero, .fault(.hang))]) }
      return Answer(head: ResponseHead(status: 200), body: Array("done".utf8), after: .milliseconds(100))
    }
    async let printed = Client.python(
      server.portNumber,
      """
      idle, slow, hanging = connect(), connect(), connect()
      idle.sendall(b"GET /idle HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
      while not idle.recv(65536).endswith(b"done"): pass
      hanging.sendall(b"GET /hang HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
      time.sleep(0.05)
      slow.sendall(b"GET /slow HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
      print(read_all(idle), read_all(hanging), read_all(slow)[-4:])
      try:
          connect()
          print("connected")
      except ConnectionRefusedError:
          print("refused")
      """)
    for await path in arrivals where path == "/slow" { break }
    server.stop()
    server.stop()
    await server.finished()
    await server.finished()
    #expect(try await printed.text == "  done\nrefused\n")
  }

  @Test func `an answer that outlasts the grace is cut off`() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let server = try LaunchServer(limits: LaunchServer.Limits(grace: .milliseconds(20))) { _ in
      arrived.yield()
      return Answer(head: ResponseHead(status: 200), after: .seconds(3600))
    }
    async let output = Client.curl("http://\(server.address)/")
    for await _ in arrivals { break }
    server.stop()
    await server.finished()
    #expect(try await output.status == 52)
  }

  @Test func `an answer under way ends when its client goes away`() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let server = try LaunchServer(limits: LaunchServer.Limits(connections: 1)) { request in
      arrived.yield()
      return Answer(head: ResponseHead(status: 200), after: request.location.path == "/late" ? .seconds(3600) : .zero)
    }
    async let printed = Client.python(
      server.portNumber,
      """
      s = connect()
      s.sendall(b"GET /late HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
      time.sleep(0.05)
      s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
      s.close()
      print(talk(b"GET / HTTP/1.0\\r\\n\\r\\n")[:12])
      """)
    for await _ in arrivals { break }
    #expect(try await printed.text == "HTTP/1.1 200\n")
  }

  @Test func `clients that never read do not hold up the others, and are given up`() async throws {
    let content = [UInt8](repeating: 7, count: 16 << 20)
    let server = try LaunchServer(limits: LaunchServer.Limits(idle: .seconds(1))) { request in
      let isBig = request.location.path == "/big"
      return Answer(head: ResponseHead(status: 200), body: isBig ? content : [0x6F], after: .milliseconds(5))
    }
    let printed = try await Client.python(
      server.portNumber,
      """
      deaf = [connect() for _ in range(8)]
      for s in deaf: s.sendall(b"GET /big HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
      c = http.client.HTTPConnection("127.0.0.1", PORT, timeout=20)
      def get(path):
          c.request("GET", path)
          return c.getresponse().read()
      print(sum(get("/small") == b"o" for _ in range(50)), len(get("/big")))
      while True:
          try:
              deaf[0].sendall(b"x")
              time.sleep(0.05)
          except ConnectionError:
              break
      print("given up")
      """)
    #expect(printed.text == "50 16777216\ngiven up\n")
    #expect(server.pacing.slowClients >= 8)
  }

  @Test func `clients that send and take much at once do not hold up the others`() async throws {
    let content = [UInt8](repeating: 7, count: 16 << 20)
    let server = try LaunchServer { request in
      Answer(head: ResponseHead(status: 200), body: request.location.path == "/big" ? content : [0x6F])
    }
    let printed = try await Client.python(
      server.portNumber,
      """
      deaf, many, upload = [connect() for _ in range(8)], connect(), connect()
      for s in deaf: s.sendall(b"GET /big HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
      threading.Thread(target=many.sendall, args=(b"GET /x HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n" * 20000,), daemon=True).start()
      upload.sendall(b"POST / HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 20000000\\r\\nConnection: close\\r\\n\\r\\n" + b"x" * 19999999)
      c = http.client.HTTPConnection("127.0.0.1", PORT, timeout=20)
      def get(path):
          c.request("GET", path)
          return c.getresponse().read()
      print(sum(get("/small") == b"o" for _ in range(50)), len(get("/big")))
      upload.sendall(b"x")
      print(read_all(upload)[-1])
      left = 20000 * len(b"HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\no")
      while left > 0: left -= len(many.recv(1 << 20))
      print(left)
      """)
    #expect(printed.text == "50 16777216\no\n0\n")
    #expect(server.pacing.slowClients == 0)
  }

  @Test func `a client that does not take what is sent at once is given up`() async throws {
    let content = [UInt8](repeating: 7, count: 16 << 20)
    let server = try LaunchServer(limits: LaunchServer.Limits(idle: .milliseconds(300))) { _ in
      Answer(head: ResponseHead(status: 200), body: content)
    }
    let printed = try await Client.python(
      server.portNumber,
      """
      deaf = connect()
      deaf.sendall(b"GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
      while True:
          try:
              deaf.sendall(b"x")
              time.sleep(0.02)
          except ConnectionError:
              break
      print("given up")
      """)
    #expect(printed.text == "given up\n")
  }

  @Test func `who asked for it is told when a client leaves, whatever it was waiting for`() async throws {
    let (leavings, left) = AsyncStream.makeStream(of: String.self)
    let content = [UInt8](repeating: 7, count: 16 << 20)
    let server = try LaunchServer(pacing: nil) { arrival in
      let path = arrival.request.location.path
      let head = ResponseHead(status: 200)
      var reply =
        switch path {
        case "/hang": Reply(Answer(parts: [.init(at: .zero, .fault(.hang))]))
        case "/big": Reply(Answer(head: head, body: content))
        case "/late": Reply(Answer(head: head, after: .seconds(3600)))
        default: Reply(Answer(head: head))
        }
      reply.onLeave = { _ in left.yield(path) }
      return reply
    }
    let printed = try await Client.python(
      server.portNumber,
      """
      for path in ["/small", "/hang", "/big", "/late"]:
          s = connect()
          s.sendall(b"GET %s HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n" % path.encode())
          if path not in ("/hang", "/late"): s.recv(10)
          time.sleep(0.05)
          s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
          s.close()
      print("gone")
      """)
    #expect(printed.text == "gone\n")
    var paths: Set<String> = []
    for await path in leavings {
      paths.insert(path)
      if paths.count == 3 { break }
    }
    #expect(paths == ["/hang", "/big", "/late"])
  }

  @Test func `who has sent a request is not idle, however many come at once`() async throws {
    let server = try LaunchServer(limits: LaunchServer.Limits(connections: 8)) { _ in
      Answer(head: ResponseHead(status: 200), body: [0x61], after: .milliseconds(20))
    }
    defer { server.stop() }
    let output = try await Client.python(
      server.portNumber,
      """
      all = []
      for _ in range(64):
        s = connect()
        s.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
        all.append(s)
      count = 0
      for s in all:
        with s: count += read_all(s).startswith("HTTP/1.1 200")
      print(count)
      """)
    #expect(output.text == "64\n")
  }

  @Test func `connections come and go by the hundred`() async throws {
    let server = try LaunchServer(limits: LaunchServer.Limits(connections: 600), respond: Self.echo)
    let printed = try await Client.python(
      server.portNumber,
      """
      request = b"GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n"
      print(sum(talk(request[:-2] + b"Connection: close\\r\\n\\r\\n").startswith("HTTP/1.1 200") for _ in range(300)))
      all = [connect() for _ in range(300)]
      for s in all: s.sendall(request)
      print(sum(s.recv(65536).startswith(b"HTTP/1.1 200") for s in all))
      """)
    #expect(printed.text == "300\n300\n")
    server.stop()
    await server.finished()
  }

  @Test func `a large answer arrives whole, at once or paced`() async throws {
    let content = (0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let server = try LaunchServer { request in
      let isPaced = request.location.path == "/paced"
      return Answer(head: ResponseHead(status: 200), body: content, after: isPaced ? .milliseconds(1) : .zero)
    }
    let printed = try await Client.python(
      server.portNumber,
      """
      expected = bytes((i * 31 + (i >> 8)) & 255 for i in range(8 << 20))
      c = http.client.HTTPConnection("127.0.0.1", PORT, timeout=20)
      for path in ["/once", "/paced", "/once"]:
          c.request("GET", path)
          print(c.getresponse().read() == expected)
      """)
    #expect(printed.text == "True\nTrue\nTrue\n")
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

  @Test func `connections that trickle their heads make room when it is crowded`() async throws {
    let server = try LaunchServer(limits: LaunchServer.Limits(connections: 8), respond: Self.echo)
    let printed = try await Client.python(
      server.portNumber,
      """
      slow = [connect() for _ in range(8)]
      def trickle():
          while True:
              for s in slow:
                  try: s.sendall(b"GET / HTTP/1.1\\r\\nX-A: "[:1] if s not in begun else b"a")
                  except OSError: pass
                  begun.add(s)
              time.sleep(0.002)
      begun = set()
      for s in slow: s.sendall(b"GET / HTTP/1.1\\r\\nX-A: "), begun.add(s)
      threading.Thread(target=trickle, daemon=True).start()
      print(sum(talk(b"GET / HTTP/1.1\\r\\nHost: h\\r\\nConnection: close\\r\\n\\r\\n").startswith("HTTP/1.1 200") for _ in range(20)))
      """)
    #expect(printed.text == "20\n")
  }

  @Test func `a head that trickles in is told when its time is over`() async throws {
    let server = try LaunchServer(limits: LaunchServer.Limits(idle: .milliseconds(300)), respond: Self.echo)
    let printed = try await Client.python(
      server.portNumber,
      """
      s = connect()
      s.sendall(b"GET / HTTP/1.1\\r\\nX: ")
      s.settimeout(0.02)
      data = b""
      while b"\\r\\n" not in data:
          try:
              s.sendall(b"a")
              data += s.recv(65536)
          except socket.timeout:
              pass
      print(data.decode().split("\\r\\n")[0])
      """)
    #expect(printed.text == "HTTP/1.1 408 Request Timeout\n")
  }

  @Test func `a server that is let go stops listening`() async throws {
    let address = try LaunchServer(respond: Self.echo).address
    var status: Int32 = 0
    while status != 7 { status = try await Client.curl("http://\(address)/").status }
    #expect(status == 7)
  }

  @Test func `a port in use or out of range is an error`() throws {
    let server = try LaunchServer(respond: Self.echo)
    #expect(server.address == "127.0.0.1:\(server.portNumber)")
    #expect(throws: ServerError.cannotListen(port: server.portNumber, reason: "Address already in use")) {
      try LaunchServer(port: server.portNumber, respond: Self.echo)
    }
    #expect(throws: ServerError.portOutOfRange(65536)) { try LaunchServer(port: 65536, respond: Self.echo) }
    #expect(throws: ServerError.portOutOfRange(-1)) { try LaunchServer(port: -1, respond: Self.echo) }
  }
}
