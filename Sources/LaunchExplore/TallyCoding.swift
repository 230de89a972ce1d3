public import LaunchJSON

extension Tally {
  /// The tally as one JSON object, for `--merge`.
  public var json: JSON {
    [
      "schedules": .integer(Int64(schedules)), "skipped": .integer(Int64(skipped)), "audited": .integer(Int64(audited)),
      "cut": .bool(isCut),
      "units": .array(units.sorted().map { .integer(Int64($0)) }),
      "rules": .array(rules.map(\.json)),
      "unfinished": unfinished.json, "failed": failed.json, "unanswered": unanswered.json, "lent": lent.json,
      "differing": differing.json,
      "misjudged": misjudged.json,
      "classes": .array(classes.sorted().map { .string(String($0, radix: 16)) }),
      "orders": .array(
        realized.sorted { $0.key < $1.key }.map { unit, order in
          .array([.integer(Int64(unit))] + order.map { .integer(Int64($0)) })
        }),
    ]
  }

  /// Reads what `json` has written; nil for anything else.
  public init?(_ json: JSON) {
    guard let rules = json["rules"]?.array?.map(RuleCount.init), rules.allSatisfy({ $0 != nil }),
      let schedules = json["schedules"]?.count, let skipped = json["skipped"]?.count,
      let audited = json["audited"]?.count,
      let isCut = json["cut"]?.bool, let units = json["units"]?.counts, let unfinished = Cases(json["unfinished"]),
      let failed = Cases(json["failed"]), let unanswered = Cases(json["unanswered"]),
      let lent = Cases(json["lent"]), let differing = Cases(json["differing"]),
      let misjudged = Cases(json["misjudged"]), let classes = json["classes"]?.array, let orders = json["orders"]?.array
    else { return nil }
    self.init(ruleCount: 0)
    self.rules = rules.compactMap(\.self)
    (self.schedules, self.skipped, self.audited, self.isCut) = (schedules, skipped, audited, isCut)
    self.units = Set(units)
    (self.unfinished, self.failed, self.unanswered) = (unfinished, failed, unanswered)
    (self.lent, self.differing, self.misjudged) = (lent, differing, misjudged)
    for element in classes {
      guard let number = element.string.flatMap({ UInt64($0, radix: 16) }) else { return nil }
      self.classes.insert(number)
    }
    for element in orders {
      guard let numbers = element.counts, let unit = numbers.first else { return nil }
      realized[unit] = Array(numbers.dropFirst())
    }
  }
}

extension Tally.RuleCount {
  fileprivate var json: JSON {
    var object: JSONObject = [
      "holds": .integer(Int64(holds)), "broken": .integer(Int64(broken)), "undecided": .integer(Int64(undecided)),
      "idle": .integer(Int64(idle)),
    ]
    if let firstBroken { object["first"] = .string("\(firstBroken)") }
    return .object(object)
  }

  fileprivate init?(_ json: JSON) {
    guard let holds = json["holds"]?.count, let broken = json["broken"]?.count,
      let undecided = json["undecided"]?.count, let idle = json["idle"]?.count
    else { return nil }
    self.init(holds: holds, broken: broken, undecided: undecided, idle: idle)
    if let text = json["first"]?.string {
      guard let schedule = Schedule(text) else { return nil }
      firstBroken = schedule
    }
  }
}

extension Tally.Cases {
  fileprivate var json: JSON {
    var object: JSONObject = ["count": .integer(Int64(count))]
    if let first { object["first"] = .string("\(first)") }
    if !note.isEmpty { object["note"] = .string(note) }
    return .object(object)
  }

  fileprivate init?(_ json: JSON?) {
    guard let json, let count = json["count"]?.count else { return nil }
    self.init(count: count, note: json["note"]?.string ?? "")
    if let text = json["first"]?.string {
      guard let schedule = Schedule(text) else { return nil }
      first = schedule
    }
  }
}

extension JSON {
  /// A number of things; no more than can be added up a thousand times.
  fileprivate var count: Int? { integer.flatMap { 0...1_000_000_000_000_000 ~= $0 ? Int(exactly: $0) : nil } }

  fileprivate var counts: [Int]? {
    guard let elements = array else { return nil }
    let numbers = elements.compactMap(\.count)
    return numbers.count == elements.count ? numbers : nil
  }
}
