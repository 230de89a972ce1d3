import LaunchHTTP
import LaunchServer
import Testing

/// What clients send, and what they are told when it is wrong.
@Suite(.timeLimit(.minutes(2)))
struct RequestTests {
  @Test func `requests on one connection are answered in order`() async throws {
    let server = try LaunchServer(respond: echo)
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
    let server = try LaunchServer(respond: echo)
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
    let server = try LaunchServer(limits: LaunchServer.Limits(bodyBytes: 1000), respond: echo)
    let printed = try await Client.python(server.portNumber, "print(talk(\(row.request)), end='')")
    #expect(printed.text.hasPrefix(row.begin))
    #expect(printed.text.contains("Connection: close"))
    #expect(printed.text.split(separator: "\n").last?.isEmpty == false)
  }

  @Test func `a client that breaks off is told, or forgotten`() async throws {
    let server = try LaunchServer(respond: echo)
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
    let server = try LaunchServer(limits: LaunchServer.Limits(bodyBytes: 10), respond: echo)
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
}
