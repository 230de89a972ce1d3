import Foundation

/// The built `launchtape` beside the test bundle.
struct CommandLineTool {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The folder of this package, where `contracts/` and `cassettes/` are.
  static let packageFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  static let path: String = {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appendingPathComponent("launchtape").path
  }()

  /// A run that has begun.
  struct Run {
    let process: Process
    fileprivate let ended: AsyncStream<Void>

    /// Waits for the end without holding up a thread, and returns the exit code.
    func status() async -> Int32 {
      for await _ in ended {}
      return process.terminationStatus
    }
  }

  /// Starts the tool without waiting; its output goes to two files, which need no reader to stay unblocked.
  static func start(_ arguments: [String], folder: TemporaryFolder, name: String = "run") throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: packageFolder)
    process.environment = ProcessInfo.processInfo.environment.merging(["COLUMNS": "120"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try folder.newFile("\(name).out")
    process.standardError = try folder.newFile("\(name).err")
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    return Run(process: process, ended: ended)
  }

  /// Runs the tool to its end.
  static func run(_ arguments: String..., in folder: TemporaryFolder) async throws -> Result {
    let name = UUID().uuidString
    let status = try await start(arguments, folder: folder, name: name).status()
    return Result(
      status: status, output: try folder.text("\(name).out"), errors: try folder.text("\(name).err"))
  }
}

/// A folder that goes away with its owner.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("launchtape-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  fileprivate func newFile(_ name: String) throws -> FileHandle {
    guard FileManager.default.createFile(atPath: path(name), contents: nil),
      let handle = FileHandle(forWritingAtPath: path(name))
    else { throw CocoaError(.fileWriteUnknown) }
    return handle
  }
}
