#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why something could not be done with a file: what was tried, where, and the system's reason.
///
/// ```swift
/// FileError(.read, "launch.contract", code: ENOENT).description  // "cannot read launch.contract: No such file or directory"
/// ```
public struct FileError: Error, Hashable, Sendable {
  /// What was tried, spelt as `description` says it.
  public enum Operation: String, Hashable, Sendable {
    case find, open, read, write, lock, flush, rename, remove
    case createFolder = "create the folder"
  }

  public var operation: Operation
  /// The path as the caller gave it, or the one derived from it (`PATH.part`).
  public var path: String
  /// The system's error number; nil when the reason is ours.
  public var code: Int32?
  /// The rest of the sentence: the system's text for `code`, or our own.
  public var reason: String

  /// An error of our own, without a number of the system.
  public init(_ operation: Operation, _ path: String, _ reason: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  /// An error with the number `code` (an `errno`) and the system's text for it.
  public init(_ operation: Operation, _ path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
    // Both systems' strerror is safe from several threads for every number the kernel really returns.
    reason = unsafe String(cString: strerror(code))
  }
}

extension FileError: CustomStringConvertible {
  /// One sentence without a full stop, ready to stand behind `error: `.
  public var description: String { "cannot \(operation.rawValue) \(path.isEmpty ? "\"\"" : path): \(reason)" }
}
