import CCurl

/// libcurl's state of the whole process.
enum Library {
  /// Sets libcurl up once. It is never undone: that would need to know that no other code in the process uses libcurl.
  static func start() { _ = isStarted }

  /// A static value is made by the first thread that asks for it, while others wait: older versions of libcurl must not
  /// be set up by two threads at once.
  private static let isStarted: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
