/// The part of reading that requests and responses share: lines, field blocks and content.
///
/// What it returns depends on the bytes alone, never on how they were split; only content comes in pieces as it arrived.
struct MessageReader: Sendable {
  enum Kind: Sendable { case request, response }

  enum Piece {
    /// The first line of a message and where it stands in the stream.
    case startLine(ArraySlice<UInt8>, at: Int)
    /// The complete header. The owner says with `frame(as:)` what follows before it asks for the next piece.
    case header(Fields)
    case content([UInt8])
    case end(trailers: Fields)
  }

  /// How long the content is (RFC 9112 section 6.3).
  enum Framing: Hashable, Sendable {
    case length(Int)
    case chunked
    case untilClose
    /// No message any more: what follows belongs to another protocol.
    case switched
  }

  private enum State {
    case startLine, header, framing, chunkSize, chunkEnd, trailer, untilClose, switched
    case length(Int)
    case chunk(Int)
  }

  private let kind: Kind
  private let headBytes: Int
  private var input = ByteQueue()
  private var isClosed = false
  /// Whether the connection must not close before another message.
  var isMessageDue = false
  private var state = State.startLine
  private var block = FieldBlock()
  /// The last header and its bytes: most headers on a connection are the same as the one before.
  private var last: (wire: [UInt8], fields: Fields)?
  /// How many bytes the head, trailer section or chunk size line in progress may still have.
  private var budget: Int

  init(_ kind: Kind, headBytes: Int) {
    self.kind = kind
    self.headBytes = headBytes
    budget = headBytes
  }

  var unread: ArraySlice<UInt8> { input.unread }

  /// Whether no byte of a message has arrived that has not ended.
  var isBetweenMessages: Bool {
    if case .startLine = state { input.count == 0 } else { false }
  }

  /// How many bytes of content have to come yet before the message can end or another chunk begin.
  var announcedBytes: Int {
    switch state {
    case .length(let left), .chunk(let left): left
    default: 0
    }
  }

  mutating func append(_ bytes: ArraySlice<UInt8>) { input.append(bytes) }

  mutating func close() { isClosed = true }

  mutating func frame(as framing: Framing) {
    switch framing {
    case .length(let length): state = .length(length)
    case .chunked: state = .chunkSize
    case .untilClose: state = .untilClose
    case .switched: state = .switched
    }
  }

  /// Says that the header just returned was informational: the next message begins right behind it.
  mutating func skipContent() { state = .startLine }

  /// The next piece, nil until more bytes arrive.
  mutating func next() throws(CodecError) -> Piece? {
    while true {
      let offset = input.offset
      switch state {
      case .startLine:
        guard let line = try input.line(within: &budget) else {
          return try starve(unless: isBetweenMessages && !isMessageDue)
        }
        // A server ignores empty lines before a request (RFC 9112 section 2.2).
        if line.isEmpty, kind == .request { continue }
        state = .header
        return .startLine(line, at: offset)
      case .header, .trailer:
        if let header = takeKnownHeader() { return header }
        guard let line = try input.line(within: &budget) else { return try starve() }
        guard line.isEmpty else {
          try block.add(line, at: offset, unfolding: kind == .response)
          continue
        }
        return endBlock()
      case .framing:
        preconditionFailure("a header is followed by frame(as:)")
      case .length(0):
        return end()
      case .length(let left):
        guard let content = input.take(upTo: left) else { return try starve() }
        state = .length(left - content.count)
        return .content(content)
      case .chunkSize:
        guard let line = try input.line(within: &budget) else { return try starve() }
        budget = headBytes
        guard let size = chunkSize(line) else { throw CodecError(.malformedChunkSize, at: offset) }
        state = size == 0 ? .trailer : .chunk(size)
      case .chunk(let left):
        guard let content = input.take(upTo: left) else { return try starve() }
        state = content.count == left ? .chunkEnd : .chunk(left - content.count)
        return .content(content)
      case .chunkEnd:
        guard input.count >= 2 else { return try starve() }
        guard input.take(upTo: 2) == [carriageReturn, lineFeed] else { throw CodecError(.missingChunkEnd, at: offset) }
        state = .chunkSize
      case .untilClose:
        if let content = input.take(upTo: .max) { return .content(content) }
        return isClosed ? end() : nil
      case .switched:
        return nil
      }
    }
  }

  private mutating func endBlock() -> Piece {
    budget = headBytes
    guard case .header = state else { return end() }
    state = .framing
    let wire = block.wire + [carriageReturn, lineFeed]
    let fields = block.take()
    last = (wire, fields)
    return .header(fields)
  }

  /// The header, when it has arrived whole and is the same as the last one, which then need not be read again.
  private mutating func takeKnownHeader() -> Piece? {
    guard case .header = state, block.isEmpty, let last, input.take(last.wire, within: &budget) else { return nil }
    budget = headBytes
    state = .framing
    return .header(last.fields)
  }

  private mutating func end() -> Piece {
    state = .startLine
    return .end(trailers: block.take())
  }

  /// No piece for now; and none ever when the connection is closed, which is fine between two messages only.
  private func starve(unless isBetween: Bool = false) throws(CodecError) -> Piece? {
    if isClosed, !isBetween { throw CodecError(.truncated, at: input.offset + input.count) }
    return nil
  }

  /// The size before blanks and extensions (RFC 9112 section 7.1), nil when there is none or it does not fit.
  private func chunkSize(_ line: ArraySlice<UInt8>) -> Int? {
    let digits = line.prefix { $0.hexValue != nil }
    let rest = line[digits.endIndex...]
    let behind = rest.first { !$0.isBlank }
    guard !digits.isEmpty, behind == nil || behind == 0x3B, rest.allSatisfy(\.isFieldByte) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
