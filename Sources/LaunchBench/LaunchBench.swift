import LaunchJSON

/// Measures the parts a user waits for; run from the package's folder by `make bench`.
///
/// `LaunchBench [--json] [GROUP …]` prints a table, or JSON, of all groups or of those named. Best of several rounds on one
/// core: compare ratios between runs on one machine, not figures across machines.
@main
enum LaunchBench {
  static var groups: [Group] {
    [
      Group(name: "json", measure: measureJSON),
      Group(name: "read", measure: measureReading),
      Group(name: "write", measure: measureWriting),
      Group(name: "open", measure: measureOpening),
      Group(name: "memory", measure: measureMemory),
      Group(name: "size", measure: measureSize),
      Group(name: "record", measure: measureRecording),
      Group(name: "replay", measure: measureReplay),
      Group(name: "lateness", measure: measureLateness),
      Group(name: "contract", measure: measureContract),
      Group(name: "explore", measure: measureExploring),
      Group(name: "digest", measure: measureDigest),
    ]
  }

  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    if let path = arguments.dropFirst().first {
      if arguments.first == peakOption { return try printPeak(reading: path) }
      if arguments.first == verifyOption { return try printVerifying(path) }
    }
    let isJSON = arguments.contains("--json")
    arguments.removeAll { $0 == "--json" }
    if let unknown = arguments.first(where: { name in !groups.contains { $0.name == name } }) {
      print("no group \"\(unknown)\"; there are \(groups.map(\.name).joined(separator: ", "))")
      return
    }
    let chosen = groups.filter { arguments.isEmpty || arguments.contains($0.name) }
    try isJSON ? printJSON(chosen) : printTable(chosen)
  }

  private static func printTable(_ groups: [Group]) throws {
    for group in groups {
      print(group.name)
      for measurement in try group.measure() { print(measurement.row) }
    }
  }

  private static func printJSON(_ groups: [Group]) throws {
    var writer = JSONWriter()
    writer.beginArray()
    for group in groups {
      for measurement in try group.measure() { measurement.write(into: &writer, group: group.name) }
    }
    writer.endArray()
    print(String(decoding: writer.bytes, as: UTF8.self))
  }
}
