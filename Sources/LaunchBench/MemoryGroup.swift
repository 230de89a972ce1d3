import Foundation
import LaunchCassette
import LaunchFile

/// The option by which the benchmark runs itself in a process that does nothing but read one cassette.
let peakOption = "--peak"

/// The most memory that a process needs to read a cassette, all of the process included.
func measureMemory() throws -> [Measurement] {
  let folder = try createUniqueFolder(prefix: "launchtape-bench-")
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let makers = [("typical", SyntheticCassette.typical), ("small", SyntheticCassette.small)]
  return try makers.map { name, make in
    let path = joinPath(folder, "\(name).cassette")
    let bytes = make(50_000).serialized
    try writeFile(bytes, to: path)
    let peak = try peakBytes(reading: path)
    let title = "\(name) cassette of \(bytes.count / 1_000_000) MB, peak memory"
    return Measurement(title, Double(peak) / Double(bytes.count), "times the file", goal: .atMost(2.5))
  }
}

private func peakBytes(reading path: String) throws -> Int {
  let child = Process()
  let output = Pipe()
  child.executableURL = URL(filePath: CommandLine.arguments[0])
  child.arguments = [peakOption, path]
  child.standardOutput = output
  try child.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  child.waitUntilExit()
  guard let kilobytes = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
    throw CocoaError(.fileReadCorruptFile)
  }
  return kilobytes * 1024
}

/// Reads the cassette, and prints the most memory that this process ever had, in KiB.
func printPeak(reading path: String) throws {
  let cassette = try Cassette(path: path)
  let peak = peakKilobytes
  // Used here, so that it lives until then.
  precondition(!cassette.events.isEmpty, "the cassette has no events")
  print(peak)
}

#if canImport(Darwin)
  private var peakKilobytes: Int {
    var usage = rusage()
    _ = unsafe getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss / 1024
  }
#else
  /// Not from `getrusage`, which on Linux counts what the parent had, too.
  private var peakKilobytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
#endif
