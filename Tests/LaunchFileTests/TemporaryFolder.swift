import Foundation
import LaunchFile

/// A folder of one test, removed when the test is over.
final class TemporaryFolder {
  let path: String

  init() throws { path = try createUniqueFolder(prefix: "launchfile-") }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func callAsFunction(_ name: String) -> String { joinPath(path, name) }

  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }

  func text(_ name: String) throws -> String { String(decoding: try readFile(self(name)), as: UTF8.self) }
}
