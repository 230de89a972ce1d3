import Foundation
import LaunchCurl
import LaunchHTTP
import Testing

@Suite(.timeLimit(.minutes(2))) struct ClosingTests {
  @Test func `closing fails what is under way and what comes later`() async throws {
    let transport = try makeTransport()
    let recorder = Recorder()
    let sending = Task { try await transport.send(request("/hang?gate=closed"), into: recorder) }
    #expect(await recorder.wait { $0 == .sent })
    transport.close()
    await #expect(throws: TransportError.self) { try await sending.value }
    expect(recorder, failed: .cancelled, during: .response)
    expect(await transport.record(request("/plain")), failed: .cancelled, during: .request)
    transport.close()
  }

  // In a process of its own, where no other test has threads and files.
  @Test func `transports leave no thread and no file behind`() async throws {
    let port = try Fixture.server.get().port("server")
    await #expect(processExitsWith: .success) { [port = port as Int] in
      let route = Route(host: "127.0.0.1", port: port)
      let routes = RouteTable([host: route], otherwise: .refuse)
      // Once beforehand, for what libcurl and the runtime set up for good.
      let response = try await CurlTransport(routes: routes).response(to: request("/plain"))
      #expect(response.status == 200)
      try waitUntil { transportThreads() == 0 }
      let files = openFiles()
      for number in 0..<200 {
        let transport = CurlTransport(routes: routes)
        if number % 4 == 0 { _ = try await transport.response(to: request("/plain")) }
      }
      // The threads end by themselves; the time limit of the suite is the only clock. The runtime may open a few files
      // of its own meanwhile, but not two hundred.
      try waitUntil { transportThreads() == 0 && openFiles() < files + 50 }
    }
  }

  @Test func `processes started meanwhile do not inherit connections`() async throws {
    let transport = try makeTransport()
    let recorder = Recorder()
    let sending = Task { try await transport.send(request("/hang?gate=inherited"), into: recorder) }
    #expect(await recorder.wait { $0 == .sent })
    let child = try spawn("/bin/sleep", "1000")
    defer {
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
    sending.cancel()
    _ = try? await sending.value
    // Answered once the server has seen the end of the other connection, while the child still runs.
    #expect(try await transport.response(to: request("/await?gate=inherited")).status == 200)
  }

  @Test func `the environment's proxy is not used`() async throws {
    let port = try Fixture.server.get().port("server")
    await #expect(processExitsWith: .success) { [port = port as Int] in
      for name in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        unsafe setenv(name, "http://127.0.0.1:1", 1)
      }
      let routes = RouteTable([host: Route(host: "127.0.0.1", port: port)], otherwise: .refuse)
      let response = try await CurlTransport(routes: routes).response(to: request("/plain"))
      #expect(response.status == 200)
    }
  }
}

/// Starts a program that inherits all it can. Foundation's `Process` closes what it does not know.
private func spawn(_ path: String, _ argument: String) throws -> pid_t {
  struct Failure: Error { var code: Int32 }
  var child = pid_t()
  var arguments = unsafe [strdup(path), strdup(argument), nil]
  defer { unsafe arguments.forEach { unsafe free($0) } }
  let code = unsafe posix_spawn(&child, path, nil, nil, &arguments, nil)
  guard code == 0 else { throw Failure(code: code) }
  return child
}

private func waitUntil(_ condition: () -> Bool) throws {
  while !condition() { sched_yield() }
}

/// Threads by the name they have: the one the transports' engines give themselves.
private func transportThreads() -> Int {
  let folder = "/proc/self/task"
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return threads.count { (try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8)) == "launch-curl\n" }
}

private func openFiles() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0 }
