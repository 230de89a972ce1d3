import Foundation
import LaunchReport
import Synchronization

/// The process's two streams: results go to stdout, diagnostics to stderr.
enum Console {
  /// The first reason why a result could not be printed; such a run must not look like a good one.
  static var failure: String? { lostOutput.withLock { $0 } }
  private static let lostOutput = Mutex<String?>(nil)

  static func print(_ line: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    } catch {
      // A reader that has seen enough (`launchtape show x | head`) and a closed stdout are the user's choice.
      guard errno != EPIPE, errno != EBADF else { return }
      lostOutput.withLock { $0 = $0 ?? error.localizedDescription }
    }
  }

  /// Prints a diagnostic, which may quote what a server, an app or a file says.
  static func complain(_ text: String) {
    // There is nowhere left to say that this failed.
    try? FileHandle.standardError.write(contentsOf: Data((text.printableLines + "\n").utf8))
  }

  /// Columns of the terminal on stdout, `COLUMNS` where there is none, else 120.
  static var width: Int {
    var size = winsize()
    if unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init) ?? 120
    return min(max(columns, 60), 10_000)
  }

  /// Whether results may be coloured: on a terminal, unless `NO_COLOR` is set.
  static var hasColour: Bool {
    isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }
}
