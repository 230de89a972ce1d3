public import LaunchFile

/// Why a cassette could not be read.
public enum CassetteError: Error, Hashable, Sendable {
  /// The file was not found or could not be read.
  case file(FileError)
  /// The file has no bytes.
  case empty(path: String)
  /// The first line is no cassette's header; `detail` says what is wrong with it.
  case noHeader(path: String, detail: String)
  /// A later version of the format wrote the file.
  case newerVersion(path: String, version: Int64)
  /// Every line that could not be read, or, when all could, every event that cannot stand where it stands.
  case malformed([Cassette.Diagnostic])
}

extension CassetteError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .empty(let path): "\(path) is empty; a cassette begins with \(headerExample)"
    case .noHeader(let path, let detail): "\(path) is no cassette: \(detail); its first line must be \(headerExample)"
    case .newerVersion(let path, let version):
      "\(path) has version \(version) of the cassette format, this launchtape reads up to "
        + "\(CassetteHeader.version); use a newer launchtape"
    case .malformed(let diagnostics): diagnostics.map(\.description).joined(separator: "\n")
    }
  }
}

private let headerExample = #"{"cassette":1,"name":"…"}"#

extension Cassette {
  /// A remark on one line of the file.
  public struct Diagnostic: Hashable, Sendable {
    /// Whether the cassette cannot be used, or only should be looked at.
    public enum Severity: String, Hashable, Sendable { case error, warning }

    public var severity: Severity
    /// The file as messages call it.
    public var path: String
    /// Counted from 1.
    public var line: Int
    /// In bytes, counted from 1.
    public var column: Int
    /// One sentence without a full stop.
    public var message: String

    public init(severity: Severity, path: String, line: Int, column: Int, message: String) {
      self.severity = severity
      self.path = path
      self.line = line
      self.column = column
      self.message = message
    }
  }
}

extension Cassette.Diagnostic: CustomStringConvertible {
  /// `first-launch.cassette:12:7: error: expected ':'`
  public var description: String { "\(path):\(line):\(column): \(severity.rawValue): \(message)" }
}
