import Foundation

/// Runs a Python script that drives the built tool or speaks to it, away from the threads of Swift concurrency.
enum Python {
  /// Runs `script` in the package's folder, with the path of the tool as its first argument.
  static func run(_ script: String, _ arguments: String...) async throws -> CommandLineTool.Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, CommandLineTool.path] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: CommandLineTool.packageFolder)
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        do {
          try process.run()
          // The scripts write a few lines only: no pipe fills up while the other one is read.
          let output = try text(output), errors = try text(errors)
          process.waitUntilExit()
          continuation.resume(
            returning: .init(status: process.terminationStatus, output: output, errors: errors))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  private static func text(_ pipe: Pipe) throws -> String {
    String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }
}
