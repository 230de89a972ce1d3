import CBrotli

/// Brotli's decompressor, owned. Its window is at most 16 MiB (RFC 7932 section 9.1).
@safe final class BrotliDecompressor: Decompressor {
  private let state: OpaquePointer

  /// - Throws: `CodingError.outOfMemory`.
  init() throws(CodingError) {
    guard let state = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
    unsafe self.state = state
  }

  deinit { unsafe BrotliDecoderDestroyInstance(state) }

  func step(_ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> CodecStep {
    var unread = input.count
    var room = output.count
    var next = input.baseAddress
    var free = output.baseAddress
    let result = unsafe BrotliDecoderDecompressStream(state, &unread, &next, &room, &free, nil)
    let outcome: CodecStep.State =
      switch result {
      case BROTLI_DECODER_RESULT_SUCCESS: .complete
      case BROTLI_DECODER_RESULT_ERROR: isOutOfMemory ? .outOfMemory : .corrupt
      default: .going
      }
    return CodecStep(taken: input.count - unread, made: output.count - room, state: outcome)
  }

  private var isOutOfMemory: Bool {
    let code = unsafe BrotliDecoderGetErrorCode(state).rawValue
    let range = BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES.rawValue...BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES.rawValue
    return range.contains(code)
  }
}

/// Brotli's compressor, owned.
@safe final class BrotliCompressor: Compressor {
  private let state: OpaquePointer

  /// - Throws: `CodingError.outOfMemory`.
  init() throws(CodingError) {
    guard let state = unsafe BrotliEncoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
    unsafe self.state = state
    // The default, 11, is for files that are encoded once and takes many times as long.
    unsafe BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, 4)
  }

  deinit { unsafe BrotliEncoderDestroyInstance(state) }

  func step(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, goal: CompressionGoal
  ) -> CodecStep {
    let operation =
      switch goal {
      case .gather: BROTLI_OPERATION_PROCESS
      case .flush: BROTLI_OPERATION_FLUSH
      case .finish: BROTLI_OPERATION_FINISH
      }
    var unread = input.count
    var room = output.count
    var next = input.baseAddress
    var free = output.baseAddress
    let isFine = unsafe BrotliEncoderCompressStream(state, operation, &unread, &next, &room, &free, nil)
    let hasMore = unsafe BrotliEncoderHasMoreOutput(state) != BROTLI_FALSE
    let hasEnded = unsafe goal != .finish || BrotliEncoderIsFinished(state) != BROTLI_FALSE
    let isComplete = unread == 0 && !hasMore && hasEnded
    return CodecStep(
      taken: input.count - unread, made: output.count - room,
      state: isFine == BROTLI_FALSE ? .outOfMemory : isComplete ? .complete : .going)
  }
}
