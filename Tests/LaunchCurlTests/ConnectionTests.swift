import LaunchCurl
import LaunchHTTP
import Testing

@Suite(.timeLimit(.minutes(2))) struct ConnectionTests {
  @Test func `a kept-alive connection is reported as reused`() async throws {
    let transport = try makeTransport()
    let first = await transport.record(request("/peer"))
    let second = await transport.record(request("/peer"))
    #expect(first.content == second.content)
    let connection = try #require(second.connection)
    #expect(connection.isReused)
    #expect(connection.id == 1)
    #expect(connection.address == first.connection?.address)
    #expect(connection.dns == nil && connection.connect == nil && connection.tls == nil)
  }

  @Test func `connections are numbered as the server tells them apart`() async throws {
    let transport = try makeTransport()
    var numbers: [Int: [UInt8]] = [:]
    for path in ["/peer", "/until-close", "/peer", "/cut", "/peer", "/plain", "/peer"] {
      let recorder = await transport.record(request(path))
      guard path == "/peer" else { continue }
      let id = try #require(recorder.connection?.id)
      #expect(numbers[id] == nil || numbers[id] == recorder.content)
      numbers[id] = recorder.content
    }
    #expect(numbers.keys.sorted() == [1, 2, 3])
  }

  @Test func `a request on a connection just closed is sent again`() async throws {
    let transport = try makeTransport()
    #expect(try await transport.response(to: request("/stale")).text == "fresh")
    let recorder = await transport.record(request("/stale"))
    #expect(recorder.outline == ["connection", "sent", "head", "chunk", "end"])
    #expect(recorder.connection?.id == 1)
    #expect(await transport.record(request("/plain")).connection?.id == 2)
  }

  @Test func `sixty-four exchanges at once do not cross`() async throws {
    let transport = try makeTransport()
    try await withThrowingTaskGroup(of: (Int, Recorder).self) { group in
      for number in 0..<64 {
        group.addTask {
          let body = String(repeating: "\(number) ", count: 10_000)
          return (
            number, await transport.record(request("POST", "/echo?\(number)", ["X-Number": "\(number)"], body: body))
          )
        }
      }
      for try await (number, recorder) in group {
        let body = String(repeating: "\(number) ", count: 10_000)
        #expect(recorder.outline == ["connection", "sent", "head", "chunk", "end"])
        #expect(recorder.unflushed == 0)
        let text = String(decoding: recorder.content, as: UTF8.self)
        #expect(text.hasPrefix("POST /echo?\(number) HTTP/1.1\r\n") && text.hasSuffix("\r\n\r\n" + body))
      }
    }
  }

  @Test func `cancelling closes the connection`() async throws {
    let transport = try makeTransport()
    let recorder = Recorder()
    let sending = Task { try await transport.send(request("/hang?gate=cancelled"), into: recorder) }
    #expect(await recorder.wait { $0 == .sent })
    sending.cancel()
    await #expect(throws: TransportError.self) { try await sending.value }
    expect(recorder, failed: .cancelled, during: .response)
    #expect(recorder.unflushed == 0)
    // Answered once the server has seen the end of the other connection.
    #expect(try await transport.response(to: request("/await?gate=cancelled")).status == 200)
  }

  @Test func `a task cancelled before it sends fails as cancelled`() async throws {
    let transport = try makeTransport()
    let recorder = Recorder()
    let sending = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await transport.send(request("/hang?gate=early"), into: recorder)
    }
    await #expect(throws: TransportError.self) { try await sending.value }
    guard case .failed(let error) = recorder.deliveries.last else {
      Issue.record("\(recorder.outline)")
      return
    }
    #expect(error.reason == .cancelled)
  }

  @Test func `cancelling one exchange leaves the others alone`() async throws {
    let transport = try makeTransport()
    let other = Recorder()
    async let staying: Void = transport.send(request("/steps?gate=stay-"), into: other)
    #expect(await other.wait { if case .chunk = $0 { true } else { false } })
    let sending = Task { try await transport.response(to: request("/hang?gate=leave")) }
    sending.cancel()
    await #expect(throws: TransportError.self) { try await sending.value }
    for word in ["one", "two", "three"] { _ = try await transport.response(to: request("/open?gate=stay-\(word)")) }
    try await staying
    #expect(String(decoding: other.content, as: UTF8.self) == "onetwothree")
  }
}
