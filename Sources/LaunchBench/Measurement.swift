import LaunchJSON

/// One figure of a run.
struct Measurement {
  /// What the figure should be.
  enum Goal {
    case atLeast(Double)
    case atMost(Double)
  }

  var name: String
  var value: Double
  var unit: String
  var goal: Goal?

  init(_ name: String, _ value: Double, _ unit: String, goal: Goal? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
    self.goal = goal
  }

  var meetsGoal: Bool {
    switch goal {
    case .atLeast(let least): value >= least
    case .atMost(let most): value <= most
    case nil: true
    }
  }
}

/// Figures that belong together; each group has its own file.
struct Group {
  var name: String
  var measure: () throws -> [Measurement]
}

extension Measurement {
  /// `cassette read, typical            312.4 MB/s  (at least 200)`
  var row: String {
    let figure = "\(Self.text(value)) \(unit)"
    let gap = String(repeating: " ", count: max(2, 72 - name.count - figure.count))
    return "  \(name)\(gap)\(figure)\(remark)"
  }

  private var remark: String {
    switch goal {
    case .atLeast(let least): "  (at least \(Self.text(least))\(meetsGoal ? "" : ": MISSED"))"
    case .atMost(let most): "  (at most \(Self.text(most))\(meetsGoal ? "" : ": MISSED"))"
    case nil: ""
    }
  }

  func write(into writer: inout JSONWriter, group: String) {
    writer.beginObject()
    for (key, text) in [("group", group), ("name", name), ("unit", unit)] {
      writer.key(key)
      writer.string(text)
    }
    writer.key("value")
    writer.number("\(value)")
    switch goal {
    case .atLeast(let least):
      writer.key("atLeast")
      writer.number("\(least)")
    case .atMost(let most):
      writer.key("atMost")
      writer.number("\(most)")
    case nil: break
    }
    writer.endObject()
  }

  /// Three digits or so, with thousands apart.
  private static func text(_ value: Double) -> String {
    guard value < 100 else { return grouped(Int(value.rounded())) }
    let hundredths = Int((value * 100).rounded())
    let fraction = String(hundredths % 100 + 100).dropFirst()
    return "\(hundredths / 100)" + (hundredths % 100 == 0 ? "" : ".\(fraction)")
  }

  private static func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : grouped(number / 1000) + "," + String(number % 1000 + 1000).dropFirst()
  }
}
