/// A C library's decompressor for one stream.
protocol Decompressor: AnyObject {
  /// Reads from the front of `input` and writes to the front of `output`, as far as either reaches.
  func step(_ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> CodecStep
}

/// A C library's compressor for one stream.
protocol Compressor: AnyObject {
  /// Reads from the front of `input` and writes to the front of `output`, as far as either reaches.
  ///
  /// `complete` says that the goal is reached, which it is not before all input is read. Until then the next call must
  /// have the same goal and the rest of the input.
  func step(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, goal: CompressionGoal
  ) -> CodecStep
}

/// What a compressor has to have given out once it has read its input.
enum CompressionGoal {
  /// Nothing in particular.
  case gather
  /// All that is needed to decode what was read so far.
  case flush
  /// That, and the end of the stream.
  case finish
}

/// What one call of a codec did.
struct CodecStep {
  enum State { case going, complete, corrupt, outOfMemory }

  /// Bytes read and bytes written.
  var taken: Int
  var made: Int
  var state: State
}

/// How many bytes a codec writes in one step at most.
let stepBytes = 32 << 10
