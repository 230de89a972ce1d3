import Foundation

/// What the test run was told from outside.
enum Environment {
  static let updatesGolden = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"
  /// The folder of this file.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
}
