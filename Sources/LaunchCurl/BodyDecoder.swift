import LaunchCodings
import LaunchHTTP

/// Undoes the content encodings a head names, for as long as that works.
///
/// An encoding that is unknown, turns out corrupt, decodes to more than the limit or grows like a bomb makes the body raw:
/// from there on its content is the wire form, and its ending says so. The wire form of a raw body is what counts.
struct BodyDecoder {
  /// nil when the body is raw.
  private var decoder: ContentDecoder?
  private var isEmpty = true

  /// Nothing that an app loads at its launch grows so much.
  private static let maximumRatio = 100

  init(_ head: ResponseHead, limit: Int = 256 << 20) {
    decoder = ContentDecoder(
      encoding: head.fields.contentEncoding ?? "identity", limit: limit, maximumRatio: Self.maximumRatio)
  }

  mutating func chunk(_ wire: [UInt8]) -> Chunk {
    isEmpty = isEmpty && wire.isEmpty
    guard let decoder, decoder.encoding != nil else { return Chunk(wire) }
    do throws(CodingError) {
      return Chunk(try decoder.decode(wire), wire: wire)
    } catch {
      self.decoder = nil
      return Chunk(wire)
    }
  }

  /// A body without bytes has nothing to undo, whatever its head says: the answer to HEAD, or a 304.
  func ending(trailers: Fields) -> Ending {
    guard !isEmpty else { return Ending(trailers: trailers) }
    guard let decoder, (try? decoder.finish()) != nil else { return Ending(trailers: trailers, isRaw: true) }
    return Ending(trailers: trailers, encoding: decoder.encoding)
  }
}
