import CZstd

/// Zstandard's decompressor, owned.
@safe final class ZstdDecompressor: Decompressor {
  private let context: OpaquePointer
  private var hasBegun = false

  /// - Throws: `CodingError.outOfMemory`.
  init() throws(CodingError) {
    guard let context = unsafe ZSTD_createDCtx() else { throw .outOfMemory }
    unsafe self.context = context
    // A window of 8 MiB is the most that the coding allows (RFC 9659 section 3), and the most memory it takes.
    unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23)
  }

  deinit { unsafe ZSTD_freeDCtx(context) }

  func step(_ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> CodecStep {
    // Given a small frame as a whole, the library skips the check of its window: what it takes would depend on the cuts.
    let offered = hasBegun ? input.count : min(input.count, 4)
    hasBegun = true
    var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: offered, pos: 0)
    var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let result = unsafe ZSTD_decompressStream(context, &target, &source)
    let state: CodecStep.State =
      switch (result, ZSTD_getErrorCode(result)) {
      case (0, _): .complete
      case (_, ZSTD_error_no_error): .going
      case (_, ZSTD_error_memory_allocation): .outOfMemory
      default: .corrupt
      }
    return unsafe CodecStep(taken: source.pos, made: target.pos, state: state)
  }
}

/// Zstandard's compressor, owned, at its default level.
@safe final class ZstdCompressor: Compressor {
  private let context: OpaquePointer

  /// - Throws: `CodingError.outOfMemory`.
  init() throws(CodingError) {
    guard let context = unsafe ZSTD_createCCtx() else { throw .outOfMemory }
    unsafe self.context = context
  }

  deinit { unsafe ZSTD_freeCCtx(context) }

  func step(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, goal: CompressionGoal
  ) -> CodecStep {
    let directive =
      switch goal {
      case .gather: ZSTD_e_continue
      case .flush: ZSTD_e_flush
      case .finish: ZSTD_e_end
      }
    var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let left = unsafe ZSTD_compressStream2(context, &target, &source, directive)
    let isComplete = unsafe source.pos == source.size && (left == 0 || goal == .gather)
    return unsafe CodecStep(
      taken: source.pos, made: target.pos,
      state: ZSTD_isError(left) != 0 ? .outOfMemory : isComplete ? .complete : .going)
  }
}
