import LaunchHTTP
import LaunchServer
import Testing

/// How many connections there may be, and which have to make room.
@Suite(.timeLimit(.minutes(2)))
struct CrowdTests {
  @Test func `beyond the limit an idle connection makes room`() async throws {
    let server = try LaunchServer(limits: LaunchServer.Limits(connections: 2), respond: echo)
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
    let server = try LaunchServer(limits: LaunchServer.Limits(idle: .milliseconds(50)), respond: echo)
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
    let server = try LaunchServer(limits: LaunchServer.Limits(connections: 600), respond: echo)
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

  @Test func `connections that trickle their heads make room when it is crowded`() async throws {
    let server = try LaunchServer(limits: LaunchServer.Limits(connections: 8), respond: echo)
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
    let server = try LaunchServer(limits: LaunchServer.Limits(idle: .milliseconds(300)), respond: echo)
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
}
