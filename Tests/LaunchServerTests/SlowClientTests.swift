import LaunchHTTP
import LaunchServer
import Testing

/// Clients that take little, send much or go away, and what others feel of them.
@Suite(.timeLimit(.minutes(2)))
struct SlowClientTests {
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
}
