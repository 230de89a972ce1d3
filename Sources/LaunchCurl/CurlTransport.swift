public import LaunchHTTP

/// Sends requests over the network with libcurl, on a thread of its own.
///
/// ```swift
/// let routes = try RouteTable(parsing: ["api.onesignal.com=127.0.0.1:9001"], otherwise: .refuse)
/// let transport = CurlTransport(routes: routes)
/// let location = try Location(parsing: "https://api.onesignal.com/apps/1/users")
/// let response = try await transport.response(to: Request(method: "POST", location: location))
/// ```
///
/// Deliveries are made on the transport's thread, as soon as it learns of what they tell:
///
/// - `connection` when the first bytes of the request have left on it. Its address is the one really used.
/// - `sent` when the system has taken the last byte of the request. With HTTP/2 that is when the session has taken it,
///   which flow control may hold back; when a response overtakes its request, just before that response.
/// - `chunk` for each piece libcurl passes on, at most 16 KiB. Pieces that servers wrote apart may arrive as one.
/// - A body whose content encoding is unknown, or found corrupt, is raw: its wire form is what counts.
///
/// When a kept-alive connection turns out closed before anything of the response arrived, libcurl sends the request
/// again on a new one. The deliveries then tell of the first connection.
///
/// Requests go out as they are: redirects are not followed, no proxy is used, nothing is taken from the environment, and
/// no header lines are added beyond `Host` (always first), and `Content-Length` (always last). TLS offers HTTP/2 and
/// HTTP/1.1. Idle connections are kept for later requests of this transport.
///
/// One thread serves all connections, so many TLS handshakes at once delay each other's deliveries by milliseconds.
public final class CurlTransport: Transport {
  private let routes: RouteTable
  private let mailbox: Mailbox

  /// A transport that sends where `routes` says. Its thread ends when it is closed or let go.
  public init(routes: RouteTable) {
    self.routes = routes
    mailbox = Engine.start()
  }

  deinit { close() }

  /// Stops all transfers, which fail with the reason `cancelled`, and lets go of connections and thread.
  ///
  /// Returns at once; the thread ends as soon as it has told the senders. Requests sent later fail in the same way.
  public func close() {
    mailbox.close(because: TransportError(.cancelled, during: .request, "the transport was closed"))
  }

  /// Sends `request` to where the routes say; other requests go on meanwhile.
  ///
  /// Its time-out is rounded up to whole milliseconds, at least one and at most 24 days, and covers the whole exchange.
  /// - Throws: the error delivered: `refused` by the address, or because the table has no route; `protocol` for an
  ///   answer that is no HTTP, for a request that cannot be written as such (its host, target, method or a field, or
  ///   content with HEAD), and when libcurl cannot go on; `connect` also when libcurl or its thread did not start;
  ///   `cancelled` when the task is, or the transport was closed; `dns`, `tls`, `reset`, `truncated` and `timeout` as
  ///   met on the way.
  public func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    let plan: TransferPlan
    do {
      plan = try TransferPlan(request, routes: routes)
    } catch {
      throw Self.fail(error, into: sink)
    }
    let id = mailbox.makeID()
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let submission = Submission(id: id, plan: plan, sink: sink, continuation: continuation)
        if let error = mailbox.submit(submission) {
          continuation.resume(returning: Self.fail(error, into: sink))
        } else if Task.isCancelled {
          // The handler may have run before the engine knew the request.
          mailbox.cancel(id)
        }
      }
    } onCancel: {
      mailbox.cancel(id)
    }
    if let error { throw error }
  }

  /// Delivers that the exchange failed before the engine had anything to do with it.
  private static func fail(_ error: TransportError, into sink: any TransportSink) -> TransportError {
    sink.receive(.failed(error))
    sink.flush()
    return error
  }
}
