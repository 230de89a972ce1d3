import LaunchCodings
import LaunchHTTP

/// Undoes the content encoding a head names, for as long as that works.
///
/// An encoding that is unknown or turns out corrupt makes the body raw: from there on its content is the wire form, and
/// its ending says so. The wire form of a raw body is what counts.
struct BodyDecoder {
  private enum State {
    case identity
    case decoding(ContentDecoder)
    case raw
  }

  private var state: State
  private var isEmpty = true

  init(_ head: ResponseHead) {
    let encodings = head.fields.values("Content-Encoding").flatMap { $0.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" } }
      .filter { !$0.isEmpty && !$0.equalsIgnoringCase("identity") }
    switch (encodings.count, encodings.first.flatMap { ContentDecoder(encoding: $0) }) {
    case (0, _): state = .identity
    case (1, let decoder?): state = .decoding(decoder)
    default: state = .raw
    }
  }

  mutating func chunk(_ wire: [UInt8]) -> Chunk {
    isEmpty = isEmpty && wire.isEmpty
    guard case .decoding(let decoder) = state else { return Chunk(wire) }
    do throws(CodingError) {
      return Chunk(try decoder.decode(wire), wire: wire)
    } catch {
      state = .raw
      return Chunk(wire)
    }
  }

  /// A body without bytes has nothing to undo, whatever its head says: the answer to HEAD, or a 304.
  func ending(trailers: Fields) -> Ending {
    switch state {
    case .identity: return Ending(trailers: trailers)
    case _ where isEmpty: return Ending(trailers: trailers)
    case .raw: return Ending(trailers: trailers, isRaw: true)
    case .decoding(let decoder):
      guard (try? decoder.finish()) != nil else { return Ending(trailers: trailers, isRaw: true) }
      return Ending(trailers: trailers, encoding: decoder.encoding)
    }
  }
}
