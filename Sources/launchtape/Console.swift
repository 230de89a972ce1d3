import Foundation

/// The process's two streams: results go to stdout, diagnostics to stderr.
enum Console {
  static func print(_ line: String) { FileHandle.standardOutput.writeIgnoringErrors(line + "\n") }

  static func complain(_ line: String) { FileHandle.standardError.writeIgnoringErrors(line + "\n") }

  /// Columns of the terminal on stdout, `COLUMNS` where there is none, else 120.
  static var width: Int {
    var size = winsize()
    if unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init) ?? 120
  }

  /// Whether results may be coloured: on a terminal, unless `NO_COLOR` is set.
  static var hasColour: Bool {
    isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }
}

extension FileHandle {
  /// A closed pipe (`launchtape show x | head`) is no error of ours.
  fileprivate func writeIgnoringErrors(_ text: String) { try? write(contentsOf: Data(text.utf8)) }
}
