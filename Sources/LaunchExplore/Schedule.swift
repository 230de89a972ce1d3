/// The choices that make one run of a launch, in the order in which they come up.
///
/// ```swift
/// let schedule = Schedule("0.2.0x5.1")  // the third of what could happen second, the second of what could happen ninth
/// schedule.changeCount                  // 2
/// ```
///
/// Each choice is the place of what was taken among what could be taken: 0 is what the recording did, or would have done. What
/// follows the last choice is all 0, so a schedule has no zeros at its end, and the empty one, `0`, is the run as recorded.
/// A schedule means the same on every machine as long as the code, the cassette and the options are the same.
public struct Schedule: Hashable, Sendable {
  /// Without zeros at the end.
  public let choices: [Int]

  /// As recorded.
  public static let recorded = Schedule([])

  public init(_ choices: [Int]) {
    self.choices = Array(choices[..<((choices.lastIndex { $0 != 0 } ?? -1) + 1)])
  }

  /// Reads what `description` writes. Zeros at the end are left out.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    var choices: [Int] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      let factors = part.split(separator: "x", omittingEmptySubsequences: false)
      guard (1...2).contains(factors.count), let choice = Self.number(factors[0]) else { return nil }
      guard factors.count == 2 else {
        choices.append(choice)
        continue
      }
      guard let times = Self.number(factors[1]), times > 0, times <= Self.limit - choices.count else { return nil }
      choices += Array(repeating: choice, count: times)
    }
    guard choices.count <= Self.limit else { return nil }
    self.init(choices)
  }

  /// How many choices are not as recorded.
  public var changeCount: Int { choices.count { $0 != 0 } }

  /// More choices than any launch has; a text that stands for more is none.
  private static let limit = 1_000_000

  private static func number(_ digits: Substring) -> Int? {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }
}

extension Schedule: CustomStringConvertible {
  /// The choices with dots between them; equal ones in a row as `0x12`. A single `0` for the schedule as recorded.
  public var description: String {
    guard !choices.isEmpty else { return "0" }
    var parts: [String] = []
    var place = choices.startIndex
    while place < choices.endIndex {
      let end = choices[place...].firstIndex { $0 != choices[place] } ?? choices.endIndex
      let times = end - place
      parts += times > 2 ? ["\(choices[place])x\(times)"] : Array(repeating: "\(choices[place])", count: times)
      place = end
    }
    return parts.joined(separator: ".")
  }
}

extension Schedule: ExpressibleByStringLiteral {
  /// - Precondition: The text is a schedule.
  public init(stringLiteral text: String) {
    guard let schedule = Schedule(text) else { preconditionFailure("\(text) is no schedule, such as 0x3.1") }
    self = schedule
  }
}

extension Schedule: Comparable {
  /// In the order in which an exhaustive exploration comes to them.
  public static func < (left: Schedule, right: Schedule) -> Bool {
    for place in 0..<max(left.choices.count, right.choices.count) {
      let (first, second) = (left.choice(at: place), right.choice(at: place))
      if first != second { return first < second }
    }
    return false
  }

  /// 0 behind the last one.
  func choice(at place: Int) -> Int { choices.indices.contains(place) ? choices[place] : 0 }
}
