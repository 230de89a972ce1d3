import Foundation

/// A script of the system's bash, with the built tool as `$launchtape` and the folder as its working one.
enum Shell {
  /// Runs the script to its end without holding up a thread.
  static func run(_ script: String, in folder: TemporaryFolder) async throws -> CommandLineTool.Result {
    let name = UUID().uuidString
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let errors = folder.path("\(name).err")
    let output = folder.path("\(name).out")
    process.arguments = ["bash", "-c", "exec >'\(output)' 2>'\(errors)'\n\(script)"]
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment
      .merging(["COLUMNS": "120", "CI": "", "launchtape": CommandLineTool.path]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    for await _ in ended {}
    return CommandLineTool.Result(
      status: process.terminationStatus, output: try folder.text("\(name).out"), errors: try folder.text("\(name).err"))
  }
}
