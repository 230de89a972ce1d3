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

  /// When another process sends the tool a signal: this one's threads may be busy with other tests by then.
  struct Interruption {
    var signal: String
    var seconds: Double
  }

  /// Runs the tool to its end, the file `input` on its standard input, without holding up a thread. Its output goes to files, which need no reader.
  static func run(
    _ arguments: [String], interruptedBy interruption: Interruption? = nil, outputTo device: String? = nil,
    input: String? = nil, at current: String = packageFolder, in folder: TemporaryFolder
  ) async throws -> Result {
    let name = UUID().uuidString
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let timeout =
      interruption.map {
        // Whoever runs the tests may ignore the signal.
        ($0.signal == "KILL" ? [] : ["--default-signal=\($0.signal)"]) + [
          "timeout", "--preserve-status", "--signal=\($0.signal)", "\($0.seconds)",
        ]
      } ?? []
    process.arguments = timeout + [path] + arguments
    try FileManager.default.createDirectory(atPath: current, withIntermediateDirectories: true)
    process.currentDirectoryURL = URL(fileURLWithPath: current)
    process.environment = ProcessInfo.processInfo.environment.merging(["COLUMNS": "120", "CI": ""]) { $1 }
    process.standardInput = input.flatMap { FileHandle(forReadingAtPath: $0) } ?? FileHandle.nullDevice
    let output = try folder.newFile("\(name).out")
    process.standardOutput = device.flatMap { FileHandle(forWritingAtPath: $0) } ?? output
    process.standardError = try folder.newFile("\(name).err")
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    for await _ in ended {}
    return Result(
      status: process.terminationStatus, output: try folder.text("\(name).out"), errors: try folder.text("\(name).err"))
  }

  static func run(_ arguments: String..., in folder: TemporaryFolder) async throws -> Result {
    try await run(arguments, in: folder)
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
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return path(name)
  }

  fileprivate func newFile(_ name: String) throws -> FileHandle {
    guard FileManager.default.createFile(atPath: path(name), contents: nil),
      let handle = FileHandle(forWritingAtPath: path(name))
    else { throw CocoaError(.fileWriteUnknown) }
    return handle
  }
}
