import LaunchJSON
import LaunchTrace

/// Goes through a cassette line by line: through all of it at once, or through parts that end with a line.
struct CassetteParser {
  private var bytes: [UInt8]
  private let path: String
  private let detachesRequests: Bool
  private let loadBody: BodyLoader?
  private var lines: LineSplitter
  private var reader: LineReader
  private var order = EventOrder()
  /// Lines that could not be read.
  private var lineErrors: [Cassette.Diagnostic] = []
  /// Events that cannot stand where they stand. Worth telling only when every line could be read.
  private var orderErrors: [Cassette.Diagnostic] = []
  private(set) var warnings: [Cassette.Diagnostic] = []
  /// Whether nothing follows the present part.
  private var isLast: Bool

  /// Nobody reads more errors than these.
  private static let errorLimit = 50

  /// - Parameter detachesRequests: The bodies of requests do not keep `bytes`.
  init(_ bytes: [UInt8], path: String, isLast: Bool = true, detachesRequests: Bool = false, loadBody: BodyLoader?) {
    self.bytes = bytes
    self.path = path
    self.isLast = isLast
    self.detachesRequests = detachesRequests
    self.loadBody = loadBody
    lines = LineSplitter(bytes)
    reader = LineReader(bytes, detachesRequests: detachesRequests, loadBody: loadBody)
  }

  /// Goes on with the next part.
  mutating func move(to bytes: [UInt8], isLast: Bool) {
    self.bytes = bytes
    self.isLast = isLast
    lines = LineSplitter(bytes, after: lines.number)
    reader = LineReader(bytes, detachesRequests: detachesRequests, loadBody: loadBody)
    order.forgetEnded()
  }

  /// Whether the first line is a header, or at least no event.
  var beginsWithHeader: Bool {
    var lines = lines
    guard let line = lines.next() else { return true }
    return !bytes[line.range].starts(with: #"{"at":"#.utf8)
  }

  mutating func header() throws(CassetteError) -> CassetteHeader {
    guard let line = lines.next() else { throw .empty(path: path) }
    reader.move(to: line.range)
    let draft: HeaderDraft
    do throws(LineError) { draft = try reader.header() } catch {
      let message = isCutOff(line) ? "the recording ended before its first line was written" : error.message
      let column = line.column(of: error.offset)
      throw .noHeader(path: path, detail: "\(message) (line \(line.number), column \(column))")
    }
    guard draft.version <= CassetteHeader.version else { throw .newerVersion(path: path, version: draft.version) }
    note(reader.remarks, on: line)
    return CassetteHeader(
      name: draft.name ?? cassetteName(of: path), recorded: draft.recorded ?? "", by: draft.by ?? "",
      order: draft.order.order, unknown: draft.unknown)
  }

  /// The events of the present part.
  mutating func events() -> [Event] {
    var events: [Event] = []
    events.reserveCapacity(lines.countLimit)
    var lastUnplain: Event?
    let bytes = bytes
    let span = bytes.span
    while lineErrors.count < Self.errorLimit {
      if let (event, end) = reader.plainEvent(at: lines.nextStart, in: span) {
        let line = lines.next(endingAt: end)
        check(event, on: line)
        events.append(event)
        continue
      }
      guard let line = lines.next() else { break }
      reader.move(to: line.range)
      do throws(LineError) {
        var event = try reader.event()
        note(reader.remarks, on: line)
        check(event, on: line)
        if !event.isPlain {
          if let lastUnplain { event = event.sharingMembers(with: lastUnplain) }
          lastUnplain = event
        }
        events.append(event)
      } catch {
        if isTornTail(line) { repair(line, error) } else { lineErrors.append(diagnostic(.error, error, on: line)) }
      }
    }
    return events
  }

  /// Whether so much is wrong that reading on makes no sense.
  var isHopeless: Bool { lineErrors.count >= Self.errorLimit }

  /// - Throws: `CassetteError.malformed` with everything that was wrong.
  mutating func finish() throws(CassetteError) {
    let errors = lineErrors.isEmpty ? orderErrors : lineErrors
    guard errors.isEmpty else { throw .malformed(errors) }
    if !order.isClosed { warn("the recording was cut off: there is no closing line", onLine: max(lines.number, 1)) }
  }

  private mutating func check(_ event: Event, on line: Line) {
    guard lineErrors.isEmpty, orderErrors.count < Self.errorLimit else { return }
    for finding in order.findings(on: event) {
      switch finding {
      case .warning(let message): warn(message, onLine: line.number)
      case .error(let message):
        orderErrors.append(diagnostic(.error, LineError(message, at: line.range.lowerBound), on: line))
      }
    }
  }

  /// Whether a line that could not be read is what a dying writer leaves: the last one, not complete, and nothing
  /// closed before it.
  private func isTornTail(_ line: Line) -> Bool { isLast && !order.isClosed && lines.isAtEnd && !isJSON(line) }

  private mutating func repair(_ line: Line, _ error: LineError) {
    let message = "the last line is not complete and was left out (\(error.message))"
    warnings.append(diagnostic(.warning, LineError(message, at: error.offset), on: line))
  }

  private func isCutOff(_ line: Line) -> Bool { !line.isEnded && !isJSON(line) }

  private func isJSON(_ line: Line) -> Bool {
    var reader = JSONReader(bytes, in: line.range)
    return (try? reader.skipValue()) != nil && (try? reader.finish()) != nil
  }

  private mutating func note(_ remarks: [LineError], on line: Line) {
    for remark in remarks { warnings.append(diagnostic(.warning, remark, on: line)) }
  }

  private mutating func warn(_ message: String, onLine number: Int) {
    warnings.append(Cassette.Diagnostic(severity: .warning, path: path, line: number, column: 1, message: message))
  }

  private func diagnostic(
    _ severity: Cassette.Diagnostic.Severity, _ error: LineError, on line: Line
  ) -> Cassette.Diagnostic {
    Cassette.Diagnostic(
      severity: severity, path: path, line: line.number, column: line.column(of: error.offset), message: error.message)
  }
}
