/// Applies one coding.
final class EncodingLayer {
  private let compressor: any Compressor
  private var output = [UInt8](repeating: 0, count: stepBytes)

  /// - Throws: `CodingError.outOfMemory`.
  init(_ coding: Coding) throws(CodingError) {
    compressor =
      switch coding {
      case .gzip: try ZlibCompressor(window: .gzip)
      case .deflate: try ZlibCompressor(window: .zlib)
      case .br: try BrotliCompressor()
      case .zstd: try ZstdCompressor()
      }
  }

  /// - Throws: `CodingError.outOfMemory`.
  func encode(_ bytes: ArraySlice<UInt8>, goal: CompressionGoal) throws(CodingError) -> [UInt8] {
    var rest = bytes
    var encoded: [UInt8] = []
    while true {
      let step = unsafe rest.withUnsafeBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { unsafe compressor.step(input, into: $0, goal: goal) }
      }
      rest = rest.dropFirst(step.taken)
      encoded += output[..<step.made]
      switch step.state {
      case .complete: return encoded
      case .going: continue
      case .corrupt, .outOfMemory: throw .outOfMemory
      }
    }
  }
}
