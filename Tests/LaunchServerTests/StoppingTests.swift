import LaunchHTTP
import LaunchServer
import Testing

/// How a server begins and ends.
@Suite(.timeLimit(.minutes(2)))
struct StoppingTests {
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

  @Test func `a server that is let go stops listening`() async throws {
    let address = try LaunchServer(respond: echo).address
    var status: Int32 = 0
    while status != 7 { status = try await Client.curl("http://\(address)/").status }
    #expect(status == 7)
  }

  @Test func `a port in use or out of range is an error`() throws {
    let server = try LaunchServer(respond: echo)
    #expect(server.address == "127.0.0.1:\(server.portNumber)")
    #expect(throws: ServerError.cannotListen(port: server.portNumber, reason: "Address already in use")) {
      try LaunchServer(port: server.portNumber, respond: echo)
    }
    #expect(throws: ServerError.portOutOfRange(65536)) { try LaunchServer(port: 65536, respond: echo) }
    #expect(throws: ServerError.portOutOfRange(-1)) { try LaunchServer(port: -1, respond: echo) }
  }
}
