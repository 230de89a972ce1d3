import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// The fast way through a cassette: lines of calls and marks as our writer writes them, members in its order and all of
/// them known.
///
/// Nothing here reports an error. A line that is not understood, for whatever reason, is nil; then `event()` reads it,
/// which takes members in any order and says what is wrong. Both give the same event for a line that both take.
extension LineReader {
  /// The event whose line begins at `start`, and its line feed.
  mutating func plainEvent(at start: Int, in text: Span<UInt8>) -> (event: Event, end: Int)? {
    var cursor = CompactCursor(at: start)
    guard cursor.skip(#"{"at":"#, in: text), let time = cursor.integer(in: text),
      let kind = plainKind(&cursor, text), cursor.skip("}\n", in: text)
    else { return nil }
    return (Event(at: Instant(microseconds: time), kind), cursor.index - 1)
  }

  @inline(__always)
  private mutating func plainKind(_ cursor: inout CompactCursor, _ text: Span<UInt8>) -> Event.Kind? {
    if cursor.skip(#","call":"#, in: text) {
      guard let number = cursor.integer(in: text), number > 0, let step = plainStep(&cursor, text) else { return nil }
      return .call(Int(number), step)
    }
    return cursor.skip(#","mark":"#, in: text) ? plainMark(&cursor, text) : nil
  }

  /// A mark without fields; equal ones share their memory.
  private mutating func plainMark(_ cursor: inout CompactCursor, _ text: Span<UInt8>) -> Event.Kind? {
    guard let name = cursor.string(in: text) else { return nil }
    let hash = text.hash(of: name)
    if let mark = marks.value(at: name, hash: hash, in: text) { return mark }
    let mark = Event.Kind.mark(Mark(string(at: name)))
    marks.add(mark, at: name, hash: hash)
    return mark
  }

  @inline(__always)
  private mutating func plainStep(_ cursor: inout CompactCursor, _ text: Span<UInt8>) -> Event.Step? {
    if cursor.skip(#","chunk":{"bytes":"#, in: text) {
      guard let count = cursor.integer(in: text), cursor.skip(UInt8(ascii: "}"), in: text) else { return nil }
      return .chunk(bytes: Int(count))
    }
    if cursor.skip(#","sent":{}"#, in: text) { return .sent }
    if cursor.skip(#","connection":"#, in: text) { return plainConnection(&cursor, text) }
    if cursor.skip(#","response":"#, in: text) { return plainResponse(&cursor, text) }
    if cursor.skip(#","end":{"#, in: text) { return plainEnd(&cursor, text) }
    if cursor.skip(#","request":{"method":"#, in: text) { return plainRequest(&cursor, text) }
    return nil
  }

  private mutating func plainRequest(_ cursor: inout CompactCursor, _ text: Span<UInt8>) -> Event.Step? {
    guard let method = cursor.string(in: text), cursor.skip(#","url":"#, in: text),
      let url = cursor.string(in: text), let location = plainLocation(url, text),
      cursor.skip(#","headers":"#, in: text), let (fields, _) = plainFields(&cursor, text)
    else { return nil }
    var body = Body()
    if cursor.skip(#","body":"#, in: text) {
      guard let content = plainBody(&cursor, text) else { return nil }
      body = detachesRequests ? content.detached : content
    }
    guard cursor.skip(UInt8(ascii: "}"), in: text) else { return nil }
    return .request(Request(method: string(at: method), location: location, fields: fields, body: body), from: nil)
  }

  private mutating func plainLocation(_ range: Range<Int>, _ text: Span<UInt8>) -> Location? {
    let hash = text.hash(of: range)
    if let location = locations.value(at: range, hash: hash, in: text) { return location }
    guard let url = PlainLocation(range, in: text) else { return nil }
    let location = location(url)
    locations.add(location, at: range, hash: hash)
    return location
  }

  /// Shared among equal ones, as nearly all are.
  private mutating func plainConnection(_ cursor: inout CompactCursor, _ text: Span<UInt8>) -> Event.Step? {
    if let step = remembered(in: connections, &cursor, text, .object) { return step }
    var inner = cursor
    guard let range = cursor.value(in: text) else { return nil }
    guard inner.skip(#"{"id":"#, in: text), let id = inner.integer(in: text), id > 0,
      inner.skip(#","address":"#, in: text), let address = inner.string(in: text)
    else { return nil }
    var connection = Connection(id: Int(id), address: string(at: address))
    connection.isReused = inner.skip(#","reused":true"#, in: text)
    if inner.skip(#","dns":"#, in: text) { connection.dns = plainTime(&inner, text) }
    if inner.skip(#","connect":"#, in: text) { connection.connect = plainTime(&inner, text) }
    if inner.skip(#","tls":"#, in: text) { connection.tls = plainTime(&inner, text) }
    guard inner.skip(#","http":"#, in: text), let version = plainVersion(&inner, text),
      inner.skip(UInt8(ascii: "}"), in: text)
    else { return nil }
    connection.version = version
    let step = Event.Step.connection(connection)
    connections.add(step, at: range, hash: text.hash(of: range))
    return step
  }

  /// Shared among equal ones, once their fields have occurred before.
  private mutating func plainResponse(_ cursor: inout CompactCursor, _ text: Span<UInt8>) -> Event.Step? {
    if let step = remembered(in: responses, &cursor, text, .object) { return step }
    let start = cursor.index
    guard cursor.skip(#"{"status":"#, in: text), let status = cursor.integer(in: text), 100...999 ~= status,
      cursor.skip(#","headers":"#, in: text), let (fields, isRepeated) = plainFields(&cursor, text),
      cursor.skip(#","http":"#, in: text), let version = plainVersion(&cursor, text),
      cursor.skip(UInt8(ascii: "}"), in: text)
    else { return nil }
    let step = Event.Step.response(ResponseHead(status: Int(status), fields: fields, version: version))
    if isRepeated, case let range = start..<cursor.index { responses.add(step, at: range, hash: text.hash(of: range)) }
    return step
  }

  private mutating func plainEnd(_ cursor: inout CompactCursor, _ text: Span<UInt8>) -> Event.Step? {
    var content = Content()
    if cursor.skip(#""body":"#, in: text) {
      guard let body = plainBody(&cursor, text) else { return nil }
      content.body = body
      if cursor.skip(#","encoding":"#, in: text) {
        guard let encoding = cursor.string(in: text) else { return nil }
        content.encoding = string(at: encoding)
      }
      if cursor.skip(#","wireBytes":"#, in: text) {
        guard let count = cursor.integer(in: text) else { return nil }
        content.wireBytes = Int(count)
      }
    }
    guard cursor.skip(UInt8(ascii: "}"), in: text) else { return nil }
    return .end(content)
  }

  /// The list, and whether an equal one stood above.
  private mutating func plainFields(
    _ cursor: inout CompactCursor, _ text: Span<UInt8>
  ) -> (fields: Fields, isRepeated: Bool)? {
    let start = cursor.index
    if cursor.skip("[]", in: text) { return (Fields(), false) }
    if let fields = remembered(in: fieldLists, &cursor, text, .list) { return (fields, true) }
    pairs.removeAll(keepingCapacity: true)
    guard cursor.skip(UInt8(ascii: "["), in: text) else { return nil }
    repeat {
      let start = cursor.index
      guard cursor.skip(UInt8(ascii: "["), in: text), let name = cursor.string(in: text),
        cursor.skip(UInt8(ascii: ","), in: text), let value = cursor.string(in: text),
        cursor.skip(UInt8(ascii: "]"), in: text)
      else { return nil }
      pairs.append(FieldRanges(name: name, value: value, line: start..<cursor.index))
    } while cursor.skip(UInt8(ascii: ","), in: text)
    guard cursor.skip(UInt8(ascii: "]"), in: text) else { return nil }

    let range = start..<cursor.index
    let hash = text.hash(of: range)
    if let fields = fieldLists.value(at: range, hash: hash, in: text) { return (fields, true) }
    var lines: [Field] = []
    lines.reserveCapacity(pairs.count)
    for index in pairs.indices {
      let pair = pairs[index]
      lines.append(field(pair.name, pair.value, at: pair.line))
    }
    let fields = Fields(lines)
    fieldLists.add(fields, at: range, hash: hash)
    return (fields, false)
  }

  /// A body that stands in the line as its own bytes.
  @inline(__always)
  private func plainBody(_ cursor: inout CompactCursor, _ text: Span<UInt8>) -> Body? {
    let content: Range<Int>?
    if cursor.skip(#"{"json":"#, in: text) {
      content = cursor.value(in: text)
    } else if cursor.skip(#"{"text":"#, in: text) {
      content = cursor.string(in: text)
    } else {
      return nil
    }
    guard let content, cursor.skip(UInt8(ascii: "}"), in: text) else { return nil }
    return Body(bytes[content])
  }

  private func plainVersion(_ cursor: inout CompactCursor, _ text: Span<UInt8>) -> HTTPVersion? {
    if cursor.skip(#""1.1""#, in: text) { return .http11 }
    if cursor.skip(#""2""#, in: text) { return .http2 }
    if cursor.skip(#""1.0""#, in: text) { return .http10 }
    return nil
  }

  /// Nil for what is no plain number, and then no quote or comma follows where the caller looks for one.
  private func plainTime(_ cursor: inout CompactCursor, _ text: Span<UInt8>) -> Duration? {
    cursor.integer(in: text).map { .microseconds($0) }
  }
}

/// What was read before.
extension LineReader {
  /// Where a value ends at the earliest.
  private enum Ending {
    /// At the first brace: an object without another one in it.
    case object
    /// At the first two brackets: a list of lists.
    case list
  }

  /// The value that begins here, if an equal one was read before.
  ///
  /// Equal bytes are enough: no JSON array or object begins with another one, so it ends here as it did there.
  @inline(__always)
  private func remembered<Value>(
    in table: PartTable<Value>, _ cursor: inout CompactCursor, _ text: Span<UInt8>, _ ending: Ending
  ) -> Value? {
    let limit = min(cursor.index + 2048, text.count)
    var end = cursor.index
    switch ending {
    case .object: end = text.firstIndex(of: UInt8(ascii: "}"), in: end..<limit)
    case .list:
      repeat {
        end = text.firstIndex(of: UInt8(ascii: "]"), in: end..<limit) + 1
      } while end < limit && text.byte(at: end) != UInt8(ascii: "]")
    }
    guard end < limit, case let range = cursor.index..<end + 1,
      let value = table.value(at: range, hash: text.hash(of: range), in: text)
    else { return nil }
    cursor.index = end + 1
    return value
  }
}

/// Where a header line stands in the file, and its two parts.
struct FieldRanges {
  var name: Range<Int>
  var value: Range<Int>
  var line: Range<Int>
}
