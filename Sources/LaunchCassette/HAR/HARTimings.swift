import LaunchJSON

/// The phases of an entry, in microseconds; nil where they do not apply or are not known.
struct HARTimings: Hashable {
  var blocked: Int64?
  var dns: Int64?
  /// TCP alone, whatever the exporter counts with it.
  var connect: Int64?
  /// TLS alone.
  var ssl: Int64?
  var send: Int64?
  var wait: Int64?
  var receive: Int64?

  /// What lies before the connection can be used.
  var untilConnected: Int64 { [blocked, dns, connect, ssl].reduce(0) { $0.addingWithinBounds($1 ?? 0) } }
  var total: Int64 { [send, wait, receive].reduce(untilConnected) { $0.addingWithinBounds($1 ?? 0) } }
  /// Something had to be set up for this entry.
  var hasSetUp: Bool { dns != nil || connect != nil || ssl != nil }
}

/// What is known about how the program that wrote a HAR departs from the format.
struct HARCreator {
  private let name: String

  init(_ log: JSON?) { name = log?["creator"]?["name"]?.harText?.lowercased() ?? "" }

  /// TLS is never part of `connect`, whatever the sums look like.
  var keepsTLSApart: Bool { name.contains("mitmproxy") }
  /// TLS is part of `connect`, though `time` counts it once more.
  var countsTLSTwice: Bool { name.contains("playwright") }
  /// TLS stands apart where no sum tells.
  var probablyKeepsTLSApart: Bool { keepsTLSApart || name.contains("firefox") }
  /// Bodies with a content encoding are kept as a list of the chunks of the wire.
  var keepsWireChunks: Bool { name.contains("polly") }
}

extension HAREntryReader {
  /// Reads `timings`, with the help of `time` where the phases alone do not tell.
  mutating func timings() -> HARTimings {
    let json = entry["timings"]
    guard let json, let members = json.object, !members.isEmpty else {
      remarks.add("timings", "there are none; the whole time is taken as the wait")
      return HARTimings(wait: max(0, time ?? 0))
    }
    var timings = HARTimings(
      blocked: phase("blocked"), dns: phase("dns"), connect: phase("connect"), ssl: phase("ssl"),
      send: phase("send", isMandatory: true), wait: phase("wait", isMandatory: true),
      receive: phase("receive", isMandatory: true))
    separateTLS(&timings)
    fillGap(&timings)
    return timings
  }

  /// The entry's `time` in microseconds.
  private var time: Int64? { entry["time"]?.harMicroseconds }

  private mutating func phase(_ name: String, isMandatory: Bool = false) -> Int64? {
    let path = "timings.\(name)"
    guard let value = entry["timings"]?[name] else {
      if isMandatory { remarks.add(path, "is missing; taken as unknown") }
      return nil
    }
    guard let microseconds = value.harMicroseconds else {
      remarks.add(path, "\(value.shown) is no time in milliseconds; taken as unknown")
      return nil
    }
    if case .string = value { remarks.add(path, "the number stands as text; read as a number") }
    guard microseconds < 0 else { return microseconds }
    let doesNotApply = microseconds == -1000 && !isMandatory
    if !doesNotApply { remarks.add(path, "\(value.shown) is negative; taken as unknown") }
    return nil
  }

  /// Takes TLS out of `connect` where the exporter counts it there, as the format says it should.
  private mutating func separateTLS(_ timings: inout HARTimings) {
    guard let ssl = timings.ssl, ssl > 0 else { return }
    guard let connect = timings.connect, connect >= ssl, !isTLSApart(timings, ssl: ssl) else {
      remarks.add("timings.ssl", "is not part of connect as it should be; counted beside it")
      return
    }
    timings.connect = connect - ssl
  }

  /// Whether `connect` as written leaves TLS out.
  private func isTLSApart(_ timings: HARTimings, ssl: Int64) -> Bool {
    if creator.keepsTLSApart { return true }
    guard !creator.countsTLSTwice, let time, time > 0, timings.wait != nil, timings.receive != nil else {
      return creator.probablyKeepsTLSApart
    }
    // `total` counts TLS beside `connect`.
    return abs(time - timings.total) < abs(time - (timings.total - ssl))
  }

  /// Gives an unknown wait, else an unknown receive, what the phases leave of the whole time.
  private mutating func fillGap(_ timings: inout HARTimings) {
    guard timings.wait == nil || timings.receive == nil, let time else { return }
    let gap = time - timings.total - (creator.countsTLSTwice ? timings.ssl ?? 0 : 0)
    guard gap > 0 else { return }
    if timings.wait == nil { timings.wait = gap } else { timings.receive = gap }
  }
}

extension JSON {
  /// The value as a message shows it.
  var shown: String {
    let text = String(decoding: serialized, as: UTF8.self)
    return text.count <= 40 ? text : text.prefix(40) + "…"
  }
}
