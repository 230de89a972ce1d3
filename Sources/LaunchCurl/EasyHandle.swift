import CCurl
import LaunchHTTP

/// libcurl's handle of one transfer, with everything libcurl keeps a pointer to.
///
/// Belongs to the engine thread.
@safe final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>
  /// Kept for as long as libcurl reads them.
  private var lists: [TextList] = []

  /// - Throws: `protocol` when libcurl gets no memory.
  init() throws(TransportError) {
    guard let pointer = unsafe curl_easy_init() else { throw .unsendable("libcurl cannot make a transfer") }
    unsafe self.pointer = pointer
    unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe try set(CURLOPT_ERRORBUFFER, message)
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    unsafe message.deallocate()
  }

  func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
    try check(unsafe launch_setopt_long(pointer, option, value), option)
  }

  /// libcurl copies the text.
  func set(_ option: CURLoption, _ value: String) throws(TransportError) {
    guard !value.utf8.contains(0) else { throw .unsendable("a zero cannot stand in “\(value)”") }
    try check(unsafe value.withCString { unsafe launch_setopt_pointer(pointer, option, $0) }, option)
  }

  func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(TransportError) {
    try check(unsafe launch_setopt_pointer(pointer, option, value), option)
  }

  func set(_ option: CURLoption, _ texts: [String]) throws(TransportError) {
    let list = try TextList(texts)
    lists.append(list)
    unsafe try set(option, UnsafeMutableRawPointer(list.pointer))
  }

  /// Gives libcurl a copy of `body`.
  func setBody(_ body: [UInt8]) throws(TransportError) {
    try check(
      unsafe launch_setopt_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)),
      CURLOPT_POSTFIELDSIZE_LARGE)
    // Without a pointer libcurl would read the body from standard input.
    guard !body.isEmpty else { return try set(CURLOPT_COPYPOSTFIELDS, "") }
    let result = unsafe body.withUnsafeBytes {
      unsafe launch_setopt_pointer(pointer, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
    }
    try check(result, CURLOPT_COPYPOSTFIELDS)
  }

  /// Has `function` called with `context` for the head's lines or the body's pieces.
  func set(
    _ option: CURLoption, _ function: curl_write_callback, context contextOption: CURLoption,
    _ context: UnsafeMutableRawPointer
  ) throws(TransportError) {
    try check(unsafe launch_setopt_write(pointer, option, function), option)
    unsafe try set(contextOption, context)
  }

  /// Has `function` called with `context` when a connection is ready for the request.
  func setPrerequisite(
    _ function: curl_prereq_callback, context: UnsafeMutableRawPointer
  ) throws(TransportError) {
    try check(unsafe launch_setopt_prereq(pointer, function), CURLOPT_PREREQFUNCTION)
    unsafe try set(CURLOPT_PREREQDATA, context)
  }

  /// Has `function` called with `context` for every piece sent or received.
  func setDebug(_ function: curl_debug_callback, context: UnsafeMutableRawPointer) throws(TransportError) {
    try check(unsafe launch_setopt_debug(pointer, function), CURLOPT_DEBUGFUNCTION)
    unsafe try set(CURLOPT_DEBUGDATA, context)
    try set(CURLOPT_VERBOSE, 1)
  }

  /// Has libcurl open sockets with `function`.
  func setOpen(_ function: curl_opensocket_callback) throws(TransportError) {
    try check(unsafe launch_setopt_open(pointer, function), CURLOPT_OPENSOCKETFUNCTION)
  }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    _ = unsafe launch_getinfo_long(pointer, info, &value)
    return value
  }

  /// A time since the transfer began; zero when libcurl has not got there.
  func time(_ info: CURLINFO) -> Duration {
    var microseconds: curl_off_t = 0
    _ = unsafe launch_getinfo_offset(pointer, info, &microseconds)
    return .microseconds(microseconds)
  }

  /// What libcurl says about a failure: its own words for this one, or those for every failure of the kind.
  func explanation(of code: CURLcode) -> String {
    let text = unsafe String(cString: message)
    return unsafe text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
  }

  private func check(_ code: CURLcode, _ option: CURLoption) throws(TransportError) {
    guard code != CURLE_OK else { return }
    throw unsafe .unsendable(
      "libcurl refuses option \(option.rawValue): \(String(cString: curl_easy_strerror(code)))")
  }
}
