import CCurl
import LaunchHTTP

extension TransportError {
  /// What libcurl's result `code` means, for a transfer that had got to `phase`. `systemError` is the `errno` of the
  /// last failed connect, send or receive, 0 if none failed.
  init(_ code: CURLcode, during phase: Phase, systemError: Int, message: String) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      self.init(.dns, during: .dns, message)
    case CURLE_COULDNT_CONNECT:
      self.init(launch_is_refusal(systemError) != 0 ? .refused : .connect, during: .connect, message)
    case CURLE_OPERATION_TIMEDOUT:
      self.init(.timeout, during: phase, message)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT:
      self.init(.tls, during: .tls, message)
    case CURLE_RECV_ERROR where message.hasSuffix("in chunked-encoding"):
      // The same code as for a reset, though the connection is fine: only the words tell.
      self.init(.protocol, during: phase, message)
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2_STREAM:
      self.init(.reset, during: phase, message)
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
      self.init(.truncated, during: phase, message)
    default:
      self.init(.protocol, during: phase, message)
    }
  }
}
