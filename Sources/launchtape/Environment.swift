#if canImport(Darwin)
  import Darwin
#else
  // The list of variables is a global of the C library, which nothing here changes.
  @unsafe @preconcurrency import Glibc
#endif

/// The environment variables of this process.
enum Environment {
  /// The value of one variable; nil without it.
  static func value(of name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// All of them.
  static var variables: [String: String] {
    #if canImport(Darwin)
      let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe _NSGetEnviron().pointee
    #else
      let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe environ
    #endif
    var variables: [String: String] = [:]
    guard var next = unsafe list else { return variables }
    while let entry = unsafe next.pointee {
      let text = unsafe String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      unsafe next += 1
    }
    return variables
  }
}
