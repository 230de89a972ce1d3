import LaunchCassette
import LaunchFile

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The option by which the benchmark runs itself in a process that does nothing but read one cassette.
let peakOption = "--peak"

/// The most memory that a process needs to read a cassette, all of the process included.
func measureMemory() throws -> [Measurement] {
  let makers = [("typical", SyntheticCassette.typical), ("small", SyntheticCassette.small)]
  return try withScratchFolder { folder in
    try makers.flatMap { name, make in
      let path = joinPath(folder, "\(name).cassette")
      let bytes = make(50_000).serialized
      try writeFile(bytes, to: path)
      let (before, peak) = try memory(reading: path)
      let title = "\(name) cassette of \(bytes.count / 1_000_000) MB, peak memory"
      let unit = "times the file"
      let size = Double(bytes.count)
      return [
        Measurement(title, Double(peak) / size, unit, goal: .atMost(2.5)),
        Measurement("\(name) cassette, the process before reading it", Double(before) / size, unit),
      ]
    }
  }
}

/// Bytes that a process of its own had before it read the cassette, and the most it had until it held all of it.
private func memory(reading path: String) throws -> (before: Int, peak: Int) {
  let kilobytes = try runAlone(peakOption, path)
  guard kilobytes.count == 2 else { throw FileError(.read, path, "the process that reads it failed") }
  return (kilobytes[0] * 1024, kilobytes[1] * 1024)
}

/// The numbers that the benchmark prints when it runs in a process of its own with an option and a path; none when it
/// fails.
func runAlone(_ option: String, _ path: String) throws -> [Int] {
  let output = joinPath(parentFolder(of: path), "output")
  // Nothing in these needs quoting but spaces.
  let code = unsafe system("'\(CommandLine.arguments[0])' \(option) '\(path)' > '\(output)'")
  guard code == 0 else { return [] }
  let text = String(decoding: try readFile(output), as: UTF8.self)
  return text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
}

/// Microseconds of processor time that this process has taken.
var processorMicroseconds: Int { Int(clock()) * 1_000_000 / Int(CLOCKS_PER_SEC) }

/// Reads the cassette, and prints the most memory that this process had before and after, in KiB.
func printPeak(reading path: String) throws {
  let before = peakKilobytes
  let cassette = try Cassette(path: path)
  let peak = peakKilobytes
  // Used here, so that it lives until then.
  precondition(!cassette.events.isEmpty, "the cassette has no events")
  print(before, peak)
}

#if canImport(Darwin)
  var peakKilobytes: Int {
    var usage = rusage()
    _ = unsafe getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss / 1024
  }

  /// The most so far, which shows growth just as well.
  var residentKilobytes: Int { peakKilobytes }
#else
  /// Not from `getrusage`, which on Linux counts what the parent had, too.
  var peakKilobytes: Int { statusKilobytes("VmHWM:") }

  var residentKilobytes: Int { statusKilobytes("VmRSS:") }

  private func statusKilobytes(_ name: String) -> Int {
    let status = String(decoding: (try? readFile("/proc/self/status")) ?? [], as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
#endif
