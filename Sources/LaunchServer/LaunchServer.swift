import CPlatform
public import LaunchHTTP

/// A loopback HTTP/1.1 server for anything that answers requests: a sandbox, a player, a closure in a test.
///
/// ```swift
/// let server = try LaunchServer { request in
///   Answer(head: ResponseHead(status: 200), body: Array(request.location.path.utf8), after: .milliseconds(20))
/// }
/// print("http://\(server.address)/")
/// ```
///
/// One thread reads the requests of all connections and answers them, so `respond` has to return promptly: whoever wants
/// to be slow says so in the offsets of the answer. Its parts are due at the moment its request was complete plus their
/// offset, faults included; another thread with nothing else to do writes what is not due at once, and `pacing` tells how
/// punctual it was. An error that no server can make on the wire becomes the nearest one: `dns`, `refused`, `connect` and
/// `tls` reset the connection, `timeout` and `cancelled` leave the client waiting, `unmatched` is a 502 with its message.
///
/// Only 127.0.0.1 is bound. The server stops when it is stopped or let go.
public final class LaunchServer: Sendable {
  /// What one server accepts; what is beyond is answered with 413 or 431, or has to wait.
  public struct Limits: Hashable, Sendable {
    /// How long a request head, trailer section or chunk size line may be.
    public var headBytes: Int
    /// How long the content of a request may be.
    public var bodyBytes: Int
    /// How many connections are open at once. One more makes the one that has been idle longest close, or waits.
    public var connections: Int
    /// How long a client may send nothing while the server waits for a request, how long it may take to send a whole
    /// head, and how long it may take nothing of an answer.
    public var idle: Duration
    /// How long answers in progress may go on once the server is stopped.
    public var grace: Duration

    /// Heads of 64 KiB, content of 64 MiB, 512 connections, 60 seconds idle, 2 seconds of grace.
    public static let standard = Limits()

    public init(
      headBytes: Int = 64 * 1024, bodyBytes: Int = 64 * 1024 * 1024, connections: Int = 512,
      idle: Duration = .seconds(60), grace: Duration = .seconds(2)
    ) {
      self.headBytes = headBytes
      self.bodyBytes = bodyBytes
      self.connections = connections
      self.idle = idle
      self.grace = grace
    }
  }

  /// The port really bound.
  public let portNumber: Int
  private let serving: Serving
  private let thread: Pacing

  /// Starts listening.
  /// - Parameters:
  ///   - port: 0 takes a free one; ask `portNumber`.
  ///   - respond: Answers one request, on the server's thread and after the one before it; while it runs, no other is
  ///     read. The location names the host of the `Host` line with scheme `http`, the fields stand as on the wire.
  /// - Throws: `ServerError` when the port is taken, forbidden or out of range, or no thread is to be had.
  public convenience init(
    port: Int = 0, limits: Limits = .standard, respond: @escaping @Sendable (Request) -> Answer
  ) throws(ServerError) {
    try self.init(port: port, limits: limits, pacing: nil) { Reply(respond($0.request)) }
  }

  /// Starts listening, with everything a server knows of its requests and can be told about answers.
  /// - Parameters:
  ///   - pacing: The thread that writes what is not due at once; several servers can share one.
  ///   - reply: Like `respond` of the other initializer: it returns promptly.
  package init(
    port: Int = 0, limits: Limits = .standard, pacing: Pacing?, reply: @escaping @Sendable (Arrival) -> Reply
  ) throws(ServerError) {
    guard let number = UInt16(exactly: port) else { throw .portOutOfRange(port) }
    let descriptor = launch_listen(number)
    let bound = descriptor < 0 ? descriptor : launch_port(descriptor)
    guard bound > 0 else {
      if descriptor >= 0 { launch_close(descriptor) }
      throw .cannotListen(port: port, reason: systemSentence(bound))
    }
    portNumber = Int(bound)
    let address = "127.0.0.1:\(bound)"
    let thread: Pacing
    do throws(ServerError) {
      if let pacing { thread = pacing } else { thread = try Pacing(patience: limits.idle) }
    } catch {
      launch_close(descriptor)
      throw error
    }
    self.thread = thread
    thread.join()
    do throws(ServerError) {
      serving = try Serving(descriptor, limits: limits, pacing: thread) { now in
        Conversation(address: address, limits: limits, at: now, reply: reply)
      }
    } catch {
      launch_close(descriptor)
      thread.leave()
      throw error
    }
  }

  deinit { serving.stop() }

  /// Host and port, as a route table takes them: `127.0.0.1:9001`.
  public var address: String { "127.0.0.1:\(portNumber)" }

  /// How punctual the parts were that were not due at once, so far. May be asked for at any time, also afterwards.
  public var pacing: PacingReport { thread.report }

  /// Stops accepting and closes idle connections; answers in progress have `limits.grace` to finish.
  ///
  /// Returns at once and may be called from anywhere, any number of times; `finished()` waits for the last connection.
  public func stop() { serving.stop() }

  /// Returns when the server was stopped and its last connection is closed.
  public func finished() async { await serving.finished() }
}

func systemSentence(_ code: Int32) -> String { unsafe String(cString: launch_error_text(code)) }
