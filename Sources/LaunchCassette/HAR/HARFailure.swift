import LaunchHTTP

extension TransportError {
  /// The failure that an exporter describes by `message`, as near as the text tells.
  ///
  /// Where it does not tell, the failure is `reset` for an exchange that had its connection, else `connect`.
  /// - Parameters:
  ///   - hasHead: The head of the response had arrived.
  ///   - isConnected: The connection was ready.
  init(harMessage message: String, hasHead: Bool, isConnected: Bool) {
    let text = message.lowercased()
    let known = knownFailures.first { failure in failure.texts.contains(where: text.contains) }
    let reason = known?.reason ?? (isConnected || hasHead ? .reset : .connect)
    let phase = hasHead ? .body : known?.phase ?? (isConnected ? .response : .connect)
    self.init(reason, during: phase, message)
  }
}

/// What Chrome (`net_error_list.h`), Firefox (`nsError`), WebKit, mitmproxy and the C library call their failures; the
/// first that a message contains counts.
private let knownFailures: [(texts: [String], reason: TransportError.Reason, phase: TransportError.Phase)] = [
  (
    [
      "err_name_not_resolved", "err_name_resolution", "err_dns", "ns_error_unknown_host", "name or service not known",
      "nodename nor servname", "getaddrinfo", "enotfound", "hostname could not be found", "could not resolve",
      "couldn't resolve", "unknown host", "no address associated",
    ], .dns, .dns
  ),
  (
    ["err_connection_refused", "ns_error_connection_refused", "econnrefused", "connection refused", "errno 111"],
    .refused, .connect
  ),
  (["err_connection_timed_out", "connect timed out", "connection timed out"], .timeout, .connect),
  (
    [
      "err_timed_out", "err_socket_not_connected_timeout", "ns_error_net_timeout", "timed out", "timeout",
      "etimedout",
    ], .timeout, .response
  ),
  (
    [
      "err_cert", "err_ssl", "err_bad_ssl", "err_ech", "sec_error", "ssl_error", "mozilla_pkix_error",
      "tls handshake", "certificate", "handshake failed", "ssl error",
    ], .tls, .tls
  ),
  (
    ["err_content_length_mismatch", "err_incomplete_chunked_encoding", "ns_error_net_partial_transfer"], .truncated,
    .body
  ),
  (
    [
      "err_connection_closed", "err_empty_response", "closed connection", "connection closed", "socket hang up",
      "unexpected eof", "remote end closed",
    ], .truncated, .response
  ),
  (
    [
      "err_connection_reset", "err_connection_aborted", "ns_error_net_reset", "ns_error_net_interrupt", "econnreset",
      "epipe", "reset by peer", "connection was lost", "connection reset", "broken pipe",
    ], .reset, .response
  ),
  (
    [
      "err_aborted", "err_blocked", "ns_binding_aborted", "ns_error_abort", "cancelled", "canceled", "aborted",
      "client disconnected", "connection killed", "blocked",
    ], .cancelled, .response
  ),
  (
    [
      "err_internet_disconnected", "err_address", "err_network", "err_proxy", "err_tunnel", "err_connection_failed",
      "ns_error_offline", "ns_error_net", "ns_error_proxy", "ehostunreach", "enetunreach", "unreachable",
      "could not connect", "connect call failed", "not connected to the internet",
    ], .connect, .connect
  ),
  (
    [
      "err_http", "err_quic", "err_invalid", "err_unsafe", "err_too_many_redirects", "err_response_headers",
      "err_content_decoding", "protocol error", "ns_error_redirect", "ns_error_corrupted", "ns_error_invalid",
    ], .protocol, .response
  ),
]
