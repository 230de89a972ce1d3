import Dispatch
import Foundation

/// A running `ClickProbe`, the executable beside the test bundle.
struct Probe {
  private static let path: String = {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appendingPathComponent("ClickProbe").path
  }()

  private let process = Process()
  private let output = Pipe()
  /// `waitUntilExit` looks 20 times a second only.
  private let end = DispatchSemaphore(value: 0)

  init(folder: String, address: String, life: Int, isLast: Bool = false) throws {
    process.executableURL = URL(fileURLWithPath: Self.path)
    process.arguments = [folder, address, "\(life)"] + (isLast ? ["last"] : [])
    process.standardOutput = output
    process.terminationHandler = { [end] _ in end.signal() }
    try process.run()
  }

  /// Waits for the first message, then `microseconds`, kills the probe, and returns what it has printed in whole lines.
  func messages(killedAfter microseconds: useconds_t) throws -> [String] {
    let reading = output.fileHandleForReading
    var text = reading.availableData
    usleep(microseconds)
    kill(process.processIdentifier, SIGKILL)
    text += try reading.readToEnd() ?? Data()
    end.wait()
    guard process.terminationReason == .uncaughtSignal else { throw ProbeError.ended(process.terminationStatus) }
    return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  func finish() throws {
    end.wait()
    guard process.terminationStatus == 0 else { throw ProbeError.ended(process.terminationStatus) }
  }
}

enum ProbeError: Error {
  /// The probe has come to an end of its own, with this status.
  case ended(Int32)
}
