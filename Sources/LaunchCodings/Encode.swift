import CZlib

/// Encodes `content`: `gzip` (or `x-gzip`), `deflate` in zlib's format, or `identity`, in any letter case.
///
/// Equal contents give equal bytes: no time and no name is stored.
/// - Throws: `CodingError.unsupported` for any other encoding, `outOfMemory`.
public func encode(_ content: [UInt8], as encoding: String) throws(CodingError) -> [UInt8] {
  if encoding.lowercased() == "identity" { return content }
  guard let format = Format(encoding: encoding) else { throw .unsupported(encoding) }
  return try deflated(content, window: format == .gzip ? Window.gzip : Window.zlib)
}

private func deflated(_ content: [UInt8], window: Int32) throws(CodingError) -> [UInt8] {
  var stream = unsafe z_stream()
  // The stream stays where it is, as zlib demands, for as long as this one closure runs.
  let encoded: [UInt8]? = unsafe withUnsafeMutablePointer(to: &stream) { stream in
    guard unsafe launch_deflate_init(stream, Z_DEFAULT_COMPRESSION, window) == Z_OK else { return nil }
    defer { unsafe deflateEnd(stream) }
    return unsafe content.withUnsafeBufferPointer { unsafe run(stream, over: $0) }
  }
  guard let encoded else { throw .outOfMemory }
  return encoded
}

/// Feeds `input` in pieces that fit zlib's 32-bit counts, and gathers what comes out; nil when zlib fails.
private func run(_ stream: UnsafeMutablePointer<z_stream>, over input: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
  var encoded: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 32 << 10)
  var offset = 0
  while true {
    let piece = unsafe input[offset...].prefix(1 << 30)
    let isLast = unsafe offset + piece.count == input.count
    unsafe stream.pointee.next_in = input.baseAddress.map { unsafe $0 + offset }
    unsafe stream.pointee.avail_in = UInt32(piece.count)
    let (result, made) = unsafe buffer.withUnsafeMutableBufferPointer { output in
      unsafe stream.pointee.next_out = output.baseAddress
      unsafe stream.pointee.avail_out = UInt32(output.count)
      let result = unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
      return unsafe (result, output.count - Int(stream.pointee.avail_out))
    }
    encoded += buffer.prefix(made)
    offset += unsafe piece.count - Int(stream.pointee.avail_in)
    switch result {
    case Z_STREAM_END: return encoded
    case Z_OK, Z_BUF_ERROR: continue
    default: return nil
    }
  }
}
