import CZlib

/// zlib's decompressor, owned.
///
/// The stream is on the heap because zlib keeps a pointer to it and refuses one that has moved.
@safe final class ZlibDecompressor: Decompressor {
  private let stream: UnsafeMutablePointer<z_stream>

  /// - Throws: `CodingError.outOfMemory`.
  init(window: ZlibWindow) throws(CodingError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe launch_inflate_init(stream, window.bits) == Z_OK else {
      unsafe stream.deallocate()
      throw .outOfMemory
    }
    unsafe self.stream = stream
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  func step(_ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> CodecStep {
    let offered = UInt32(clamping: input.count)
    let room = UInt32(clamping: output.count)
    unsafe stream.pointee.next_in = input.baseAddress
    unsafe stream.pointee.avail_in = offered
    unsafe stream.pointee.next_out = output.baseAddress
    unsafe stream.pointee.avail_out = room
    let result = unsafe inflate(stream, Z_NO_FLUSH)
    let taken = unsafe Int(offered - stream.pointee.avail_in)
    let made = unsafe Int(room - stream.pointee.avail_out)
    return CodecStep(taken: taken, made: made, state: state(result))
  }

  private func state(_ result: Int32) -> CodecStep.State {
    switch result {
    case Z_STREAM_END: .complete
    // Z_BUF_ERROR only says that this call could do nothing.
    case Z_OK, Z_BUF_ERROR: .going
    case Z_MEM_ERROR: .outOfMemory
    default: .corrupt
    }
  }
}

/// What stands around the compressed data.
enum ZlibWindow {
  case gzip, zlib, raw

  /// The `windowBits` argument of zlib: the largest window, and the format.
  var bits: Int32 {
    switch self {
    case .gzip: 15 + 16
    case .zlib: 15
    case .raw: -15
    }
  }
}
