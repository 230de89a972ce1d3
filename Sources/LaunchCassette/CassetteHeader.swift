public import LaunchJSON
public import LaunchTrace

/// The first line of a cassette: what the file is, and where it came from.
///
/// ```swift
/// CassetteHeader(name: "first-launch", by: "launchtape 0.1.0")  // {"cassette":1,"name":"first-launch","by":"…"}
/// ```
public struct CassetteHeader: Hashable, Sendable {
  /// The format this version reads and writes.
  public static let version = 1

  /// What the recording is called, and its trace: `first-launch`.
  public var name: String
  /// When the recording began, in UTC by the machine's wall clock: `2026-11-30T06:20:45.123456Z`. Empty when unknown.
  public var recorded: String
  /// What made the file: `launchtape 0.1.0`. Empty when unknown.
  public var by: String
  /// What the order of the events is worth.
  public var order: TraceOrder
  /// Members that this version does not know, kept for the next writer.
  public var unknown: JSONObject

  public init(
    name: String, recorded: String = "", by: String = "", order: TraceOrder = .recorded, unknown: JSONObject = [:]
  ) {
    self.name = name
    self.recorded = recorded
    self.by = by
    self.order = order
    self.unknown = unknown
  }

  /// The header of a recording that begins so long after the start of 1970, UTC.
  package init(name: String, microsecondsSince1970: Int64, by: String) {
    self.init(name: name, recorded: timestamp(microsecondsSince1970: microsecondsSince1970), by: by)
  }

  /// Appends the header's line.
  package func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("cassette")
    writer.integer(Self.version)
    writer.key("name")
    writer.string(name)
    for (key, text) in [("recorded", recorded), ("by", by)] where !text.isEmpty {
      writer.key(key)
      writer.string(text)
    }
    order.encode(into: &writer)
    writer.members(unknown)
    writer.endObject()
    writer.newline()
  }
}

/// What a cassette at `path` is called when nothing else says it: the file's name without `.cassette`.
package func cassetteName(of path: String) -> String {
  let file = path.split(separator: "/").last.map(String.init) ?? path
  return file.hasSuffix(".cassette") ? String(file.dropLast(".cassette".count)) : file
}

/// A moment as RFC 3339 writes it, in UTC with microseconds.
func timestamp(microsecondsSince1970: Int64) -> String {
  let (days, inDay) = microsecondsSince1970.quotientAndRemainder(flooringBy: 86_400_000_000)
  let (seconds, fraction) = inDay.quotientAndRemainder(dividingBy: 1_000_000)
  let date = civilDate(daysSince1970: days)
  let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, to: 2) }.joined(separator: ":")
  return "\(padded(date.year, to: 4))-\(padded(date.month, to: 2))-\(padded(date.day, to: 2))T"
    + "\(time).\(padded(fraction, to: 6))Z"
}

/// The date of the Gregorian calendar, by the 400-year cycles of 146,097 days that it repeats in. Years are counted
/// from 1 March, so that a leap day is the last of its year.
private func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let (cycle, dayOfCycle) = (daysSince1970 + 719_468).quotientAndRemainder(flooringBy: 146_097)
  let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
  let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day)
}

private func padded(_ number: Int64, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Int64 {
  /// Division that rounds down, so that the remainder is never negative.
  fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
