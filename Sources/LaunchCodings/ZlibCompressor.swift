import CZlib

/// zlib's compressor, owned.
///
/// The stream is on the heap because zlib keeps a pointer to it and refuses one that has moved.
@safe final class ZlibCompressor: Compressor {
  private let stream: UnsafeMutablePointer<z_stream>

  /// - Throws: `CodingError.outOfMemory`.
  init(window: ZlibWindow) throws(CodingError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe launch_deflate_init(stream, Self.level, window.bits) == Z_OK else {
      unsafe stream.deallocate()
      throw .outOfMemory
    }
    unsafe self.stream = stream
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// The lowest level that looks ahead for a better match: a few percent longer than the default one, and faster.
  private static let level: Int32 = 4

  func step(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, goal: CompressionGoal
  ) -> CodecStep {
    let offered = UInt32(clamping: input.count)
    let room = UInt32(clamping: output.count)
    unsafe stream.pointee.next_in = input.baseAddress
    unsafe stream.pointee.avail_in = offered
    unsafe stream.pointee.next_out = output.baseAddress
    unsafe stream.pointee.avail_out = room
    let result = unsafe deflate(stream, flush(for: goal, isLast: input.count == Int(offered)))
    let taken = unsafe Int(offered - stream.pointee.avail_in)
    let made = unsafe Int(room - stream.pointee.avail_out)
    let isRead = taken == input.count
    switch result {
    case Z_STREAM_END: return CodecStep(taken: taken, made: made, state: .complete)
    // Room that is left says that a flush is complete. Z_BUF_ERROR only says that this call could do nothing.
    case Z_OK, Z_BUF_ERROR:
      let isComplete = isRead && made < room && goal != .finish
      return CodecStep(taken: taken, made: made, state: isComplete ? .complete : .going)
    default: return CodecStep(taken: taken, made: made, state: .outOfMemory)
    }
  }

  private func flush(for goal: CompressionGoal, isLast: Bool) -> Int32 {
    switch goal {
    case .flush where isLast: Z_SYNC_FLUSH
    case .finish where isLast: Z_FINISH
    default: Z_NO_FLUSH
    }
  }
}
