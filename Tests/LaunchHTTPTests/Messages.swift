import LaunchHTTP

/// What a parser makes of one stream of bytes: its pieces, adjacent content joined, and the error that ended it.
struct Outcome<Piece: Hashable>: Equatable {
  var pieces: [Piece] = []
  var error: CodecError?
}

/// Feeds `bytes` cut at `cuts`, and then perhaps their end, to a request parser.
func readRequests(
  _ bytes: [UInt8], cuts: [Int] = [], isClosed: Bool = true, headBytes: Int = 64 * 1024
) -> Outcome<RequestParser.Piece> {
  read(bytes, cuts: cuts, isClosed: isClosed, with: RequestParser(headBytes: headBytes))
}

/// Feeds `bytes` cut at `cuts`, and then their end, to a response parser that expects answers to `methods`.
func readResponses(
  _ bytes: [UInt8], to methods: [String] = [], cuts: [Int] = []
) -> Outcome<ResponseParser.Piece> {
  var parser = ResponseParser()
  for method in methods { parser.expect(answerTo: method) }
  return read(bytes, cuts: cuts, isClosed: true, with: parser)
}

private func read<Parser: MessageParser>(
  _ bytes: [UInt8], cuts: [Int], isClosed: Bool, with parser: Parser
) -> Outcome<Parser.Piece> {
  var parser = parser
  var outcome = Outcome<Parser.Piece>()
  func takePieces() throws(CodecError) {
    while let piece = try parser.next() {
      if let more = piece.content, let content = outcome.pieces.last?.content {
        outcome.pieces[outcome.pieces.count - 1] = .content(content + more)
      } else {
        outcome.pieces.append(piece)
      }
    }
  }
  do throws(CodecError) {
    for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
      parser.append(bytes[start..<end])
      try takePieces()
    }
    if isClosed { parser.finish() }
    try takePieces()
  } catch {
    outcome.error = error
  }
  return outcome
}

/// What both parsers can do.
private protocol MessageParser {
  associatedtype Piece: MessagePiece
  mutating func append(_ bytes: some Collection<UInt8>)
  mutating func finish()
  mutating func next() throws(CodecError) -> Piece?
}

private protocol MessagePiece: Hashable {
  static func content(_ bytes: [UInt8]) -> Self
  var content: [UInt8]? { get }
}

extension RequestParser: MessageParser {}
extension ResponseParser: MessageParser {}

extension RequestParser.Piece: MessagePiece {
  fileprivate var content: [UInt8]? { if case .content(let bytes) = self { bytes } else { nil } }
}

extension ResponseParser.Piece: MessagePiece {
  fileprivate var content: [UInt8]? { if case .content(let bytes) = self { bytes } else { nil } }
}
