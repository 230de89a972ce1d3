import LaunchHTTP

/// What a parser makes of one stream of bytes: its pieces, adjacent content joined, and the error that ended it.
struct Outcome<Piece: Hashable>: Equatable {
  var pieces: [Piece] = []
  var error: CodecError?
}

/// Feeds `bytes` cut at `cuts` to a request parser.
func readRequests(_ bytes: [UInt8], cuts: [Int] = [], isClosed: Bool = true, headBytes: Int = 64 * 1024) -> Outcome<
  RequestParser.Piece
> {
  var parser = RequestParser(headBytes: headBytes)
  var outcome = Outcome<RequestParser.Piece>()
  do throws(CodecError) {
    for part in bytes.parts(cuts) {
      parser.append(part)
      while let piece = try parser.next() {
        if case .content(let more) = piece, case .content(let content) = outcome.pieces.last {
          outcome.pieces[outcome.pieces.count - 1] = .content(content + more)
        } else {
          outcome.pieces.append(piece)
        }
      }
    }
    if isClosed { parser.finish() }
    while let piece = try parser.next() { outcome.pieces.append(piece) }
  } catch {
    outcome.error = error
  }
  return outcome
}

/// Feeds `bytes` cut at `cuts` to a response parser that expects answers to `methods`.
func readResponses(_ bytes: [UInt8], to methods: [String] = [], cuts: [Int] = [], isClosed: Bool = true) -> Outcome<
  ResponseParser.Piece
> {
  var parser = ResponseParser()
  for method in methods { parser.expect(answerTo: method) }
  var outcome = Outcome<ResponseParser.Piece>()
  do throws(CodecError) {
    for part in bytes.parts(cuts) {
      parser.append(part)
      while let piece = try parser.next() {
        if case .content(let more) = piece, case .content(let content) = outcome.pieces.last {
          outcome.pieces[outcome.pieces.count - 1] = .content(content + more)
        } else {
          outcome.pieces.append(piece)
        }
      }
    }
    if isClosed { parser.finish() }
    while let piece = try parser.next() { outcome.pieces.append(piece) }
  } catch {
    outcome.error = error
  }
  return outcome
}

extension [UInt8] {
  /// These bytes cut at each index of `cuts`, which is ascending.
  fileprivate func parts(_ cuts: [Int]) -> [ArraySlice<UInt8>] {
    zip([0] + cuts, cuts + [count]).map { self[$0..<$1] }
  }
}
