import LaunchReport
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The process's two streams: results go to stdout, diagnostics to stderr.
enum Console {
  /// The first reason why a result could not be printed; such a run must not look like a good one.
  static var failure: String? { lostOutput.withLock { $0 } }
  private static let lostOutput = Mutex<String?>(nil)

  static func print(_ line: String) {
    let code = put(line, on: STDOUT_FILENO)
    // A reader that has seen enough (`launchtape show x | head`) and a closed stdout are the user's choice.
    guard code != 0, code != EPIPE, code != EBADF else { return }
    let reason = unsafe String(cString: strerror(code))
    lostOutput.withLock { $0 = $0 ?? reason }
  }

  /// Prints a diagnostic, which may quote what a server, an app or a file says.
  static func complain(_ text: String) {
    // There is nowhere left to say that this failed.
    _ = put(text.printableLines, on: STDERR_FILENO)
  }

  /// Writes all of a line.
  /// - Returns: 0, or the errno value that says why the rest of it is lost.
  private static func put(_ line: String, on descriptor: Int32) -> Int32 {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Columns of the terminal on stdout, `COLUMNS` where there is none, else 120.
  static var width: Int {
    var size = winsize()
    if unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    let columns = Environment.value(of: "COLUMNS").flatMap { Int($0) } ?? 120
    return min(max(columns, 60), 10_000)
  }

  /// Whether somebody looks at the diagnostics as they come.
  static var hasProgress: Bool { isatty(STDERR_FILENO) == 1 }

  /// Puts `text` in the place of the terminal's last line.
  static func showProgress(_ text: String) {
    let bytes = Array("\r\u{1b}[K\(text)".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Whether results may be coloured: on a terminal, unless `NO_COLOR` is set.
  static var hasColour: Bool {
    isatty(STDOUT_FILENO) == 1 && (Environment.value(of: "NO_COLOR") ?? "").isEmpty
  }
}
