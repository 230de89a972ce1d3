import LaunchHTTP
import LaunchJSON
public import LaunchTrace

/// A trace drawn for a terminal: one line a call or mark in recorded order, bars by time.
///
/// ```swift
/// for line in Waterfall(trace).lines(width: 120) { print(line) }
/// ```
///
/// In a bar `─` is the wait for the response, `━` its content arriving, `×` a failure, `…` a call without an end; a mark is
/// `◆`. Every bar is at least one column wide, so what is shorter than a column still shows.
public struct Waterfall: Sendable {
  private let trace: Trace

  public init(_ trace: Trace) { self.trace = trace }

  /// The drawing, at least 60 columns wide.
  /// - Complexity: O(rows × width).
  public func lines(width: Int) -> [String] {
    let rows = rows()
    let width = max(width, 60)
    let labelWidth = min(max(rows.map(\.label.count).max() ?? 0, 20), width / 2 - 6)
    let barWidth = width - labelWidth - Self.timeWidth - 4
    return [trace.summary]
      + rows.map { row in
        let label = row.label.padded(to: labelWidth)
        let bar = bar(of: row, width: barWidth)
        return "\(row.start.seconds.leftPadded(to: Self.timeWidth))  \(label)  \(bar)".trimmingTrailingSpaces
      }
  }

  private static let timeWidth = 9

  private struct Row {
    var start: Instant
    var label: String
    var shape: Shape
  }

  private enum Shape {
    case mark
    case call(responded: Instant?, end: Instant?, failed: Bool, note: String)
  }

  private func rows() -> [Row] {
    let exchanges = Dictionary(trace.exchanges.map { ($0.call, $0) }) { first, _ in first }
    return trace.events.compactMap { event in
      switch event.kind {
      case .mark(let mark): Row(start: event.at, label: "◆ \(mark.label)".printable, shape: .mark)
      case .launch(let number) where number > 1: Row(start: event.at, label: "◆ launch \(number)", shape: .mark)
      case .call(let call, .request): exchanges[call].map { Self.row(of: $0) }
      case .launch, .call, .closed: nil
      }
    }
  }

  private static func row(of exchange: Exchange) -> Row {
    let location = exchange.request.location
    let path = location.path.withShortIdentifiers
    return Row(
      start: exchange.requested, label: "\(exchange.request.method) \(location.host)\(path)".printable,
      shape: .call(
        responded: exchange.response?.at, end: exchange.end, failed: exchange.error != nil, note: note(on: exchange)))
  }

  private static func note(on exchange: Exchange) -> String {
    guard let end = exchange.end else { return "no end" }
    let took = "\((end - exchange.requested).wholeMicroseconds / 1000) ms"
    if let error = exchange.error { return "\(error.reason.rawValue) \(took)" }
    return exchange.response.map { "\($0.head.status) \(took)" } ?? took
  }

  /// The bar area of a row: blanks up to its start, the shape, and a call's status and time behind it, or before it
  /// where there is no room behind.
  private func bar(of row: Row, width: Int) -> String {
    func column(_ instant: Instant) -> Int {
      let length = max(trace.end.microseconds, 1)
      let share = Double(max(instant.microseconds, 0)) / Double(length)
      return min(Int(share * Double(width - 1)), width - 1)
    }
    let first = column(row.start)
    guard case .call(let responded, let end, let failed, let note) = row.shape else { return blank(first) + "◆" }
    let last = max(column(end ?? trace.end), first)
    let turn = responded.map { min(max(column($0), first), last) } ?? (last + 1)
    var bar = (first...last).map { $0 < turn ? "─" : "━" }
    if failed { bar[bar.count - 1] = "×" }
    if end == nil { bar[bar.count - 1] = "…" }
    if last + 1 + note.count < width { return blank(first) + bar.joined() + " " + note }
    let room = first - note.count - 1
    return room >= 0 ? blank(room) + note + " " + bar.joined() : blank(first) + bar.joined()
  }
}

extension Mark {
  fileprivate var label: String {
    guard !fields.isEmpty else { return name }
    return "\(name) {\(fields.members.map { "\($0.key): \($0.value.text)" }.joined(separator: ", "))}"
  }
}

extension String {
  /// A path with its long segments that hold a digit (identifiers, digests) cut to four characters, so that what
  /// follows them can be seen: `/apps/7d3c…/users`.
  fileprivate var withShortIdentifiers: String {
    split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.count > 16 && $0.contains(where: \.isNumber) ? $0.prefix(4) + "…" : $0 }
      .joined(separator: "/")
  }
}
