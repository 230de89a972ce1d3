import LaunchFile
import LaunchJSON

/// The JSON reader alone, on the lines of the shipped cassette many times over.
func measureJSON() throws -> [Measurement] {
  let lines = Lines(try readFile("cassettes/first-launch.cassette"), repeated: 1000)
  let megabytes = Double(lines.bytes.count) / 1_000_000
  return [
    Measurement(
      "JSON, walk lines with bodies as slices", megabytes / (try best { try lines.walk() }).seconds, "MB/s"),
    Measurement("JSON, skip whole lines", megabytes / (try best { try lines.skip() }).seconds, "MB/s"),
    Measurement("JSON, build trees", megabytes / (try best(of: 3) { try lines.parse() }).seconds, "MB/s"),
  ]
}

/// A cassette's lines many times over, read as a cassette reader reads them.
private struct Lines {
  let bytes: [UInt8]
  private let ranges: [Range<Int>]

  init(_ cassette: [UInt8], repeated count: Int) {
    bytes = Array(repeating: cassette, count: count).flatMap { $0 }
    var ranges: [Range<Int>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      ranges.append(start..<index)
      start = index + 1
    }
    self.ranges = ranges
  }

  func walk() throws(JSONError) {
    for range in ranges {
      var reader = JSONReader(bytes, in: range)
      try reader.beginObject()
      while try reader.nextKey() {
        if reader.equals("at") { _ = try reader.readInteger() } else { try reader.skipValue() }
      }
      try reader.finish()
    }
  }

  func skip() throws(JSONError) {
    for range in ranges {
      var reader = JSONReader(bytes, in: range)
      try reader.skipValue()
    }
  }

  func parse() throws(JSONError) {
    for range in ranges { _ = try JSON(parsing: bytes, in: range) }
  }
}
