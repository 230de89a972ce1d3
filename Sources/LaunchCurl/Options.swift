import CCurl
import LaunchHTTP

extension EasyHandle {
  /// Tells libcurl what the plan says, and to do nothing beyond it.
  func configure(for plan: TransferPlan) throws(TransportError) {
    try set(CURLOPT_URL, plan.origin)
    // Sent as it is; from the URL libcurl would drop a fragment, and resolve dots.
    try set(CURLOPT_REQUEST_TARGET, plan.target)
    try set(CURLOPT_PATH_AS_IS, 1)
    try setMethod(plan)
    try set(CURLOPT_HTTPHEADER, plan.headerLines)
    if let connectTo = plan.connectTo { try set(CURLOPT_CONNECT_TO, [connectTo]) }
    if plan.usesTLS { try setSecurity(plan) }

    // HTTP/2 where TLS agrees on it. Without TLS it could only be known beforehand, and libcurl 7.88.1 fails then on
    // every reused connection.
    try set(CURLOPT_HTTP_VERSION, plan.usesTLS ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
    // Requests made while the first connection to a host is being set up wait to share it, as apps' clients do.
    try set(CURLOPT_PIPEWAIT, plan.usesTLS ? 1 : 0)

    // Each redirect is the caller's to see, and to follow or not.
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    // An empty text is no proxy; unset, the environment's variables would name one.
    try set(CURLOPT_PROXY, "")
    try set(CURLOPT_NOSIGNAL, 1)
    // Processes that the program starts must not inherit connections and so keep them open.
    unsafe try setOpen(launch_open_socket)
    // A name that is being looked up is let go at once when its transfer is cancelled. Without this libcurl waits for
    // the system's answer, and with it every other transfer of the thread.
    try set(CURLOPT_QUICK_EXIT, 1)
    // Chunked framing is undone: bodies arrive as logical bytes, and trailers through the header callback.
    try set(CURLOPT_HTTP_TRANSFER_DECODING, 1)
    // Content encodings are not: setting CURLOPT_ACCEPT_ENCODING would both undo them and add a header line.

    try set(CURLOPT_TIMEOUT_MS, plan.timeoutMilliseconds ?? 0)
    // 0 would not be no limit, but one of 300 seconds.
    try set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
  }

  private func setMethod(_ plan: TransferPlan) throws(TransportError) {
    if plan.sendsBody {
      try set(CURLOPT_POST, 1)
      try setBody(plan.body)
    } else if plan.method == "HEAD" {
      // Also says that no body follows the response's head, whatever length it states.
      try set(CURLOPT_NOBODY, 1)
    } else {
      try set(CURLOPT_HTTPGET, 1)
    }
    try set(CURLOPT_CUSTOMREQUEST, plan.method)
  }

  private func setSecurity(_ plan: TransferPlan) throws(TransportError) {
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    guard let caFile = plan.caFile else { return }
    try set(CURLOPT_CAINFO, caFile)
    // Otherwise the system's folder of authorities would be trusted as well.
    unsafe try set(CURLOPT_CAPATH, nil as UnsafeMutableRawPointer?)
  }

  /// Has libcurl report to the transfer that `context` points to.
  func callBack(_ context: UnsafeMutableRawPointer) throws(TransportError) {
    unsafe try set(CURLOPT_PRIVATE, context)
    unsafe try set(CURLOPT_HEADERFUNCTION, receiveHeader, context: CURLOPT_HEADERDATA, context)
    unsafe try set(CURLOPT_WRITEFUNCTION, receiveBody, context: CURLOPT_WRITEDATA, context)
    unsafe try setPrerequisite(becomeReady, context: context)
    unsafe try setDebug(observe, context: context)
  }

  /// The transfer `callBack` was given, of a handle libcurl names.
  static func transfer(of pointer: UnsafeMutableRawPointer) -> Transfer? {
    var context: UnsafeMutableRawPointer?
    _ = unsafe launch_getinfo_pointer(pointer, CURLINFO_PRIVATE, &context)
    return unsafe transfer(at: context)
  }

  fileprivate static func transfer(at context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }
}

// The callbacks are functions, not closures: a closure made in isolated code would trap on the engine thread.

private func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe EasyHandle.transfer(at: context)?.received(headerLine: Array(buffer(bytes, size * count)))
  return size * count
}

private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe EasyHandle.transfer(at: context)?.received(body: Array(buffer(bytes, size * count)))
  return size * count
}

/// Called when a connection is ready, new or reused, before the request is written to it.
private func becomeReady(
  _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
  let ends = unsafe ConnectionLedger.Ends(
    local: address(local, localPort), remote: address(remote, remotePort))
  unsafe EasyHandle.transfer(at: context)?.connected(ends)
  return CURL_PREREQFUNC_OK
}

private func observe(
  _ easy: UnsafeMutableRawPointer?, _ kind: curl_infotype, _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  switch kind {
  case CURLINFO_HEADER_OUT, CURLINFO_DATA_OUT: unsafe EasyHandle.transfer(at: context)?.sent(buffer(bytes, count))
  case CURLINFO_SSL_DATA_OUT: unsafe EasyHandle.transfer(at: context)?.securing()
  default: break
  }
  return 0
}

private func buffer(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  unsafe UnsafeRawBufferPointer(start: bytes, count: count).assumingMemoryBound(to: UInt8.self)
}

/// `127.0.0.1:9001`, `[::1]:9001`.
private func address(_ host: UnsafeMutablePointer<CChar>?, _ port: Int32) -> String {
  let host = unsafe host.map { unsafe String(cString: $0) } ?? ""
  return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
}
