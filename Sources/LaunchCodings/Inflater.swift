import CZlib

/// zlib's decompressor, owned.
///
/// The stream is on the heap because zlib keeps a pointer to it and refuses one that has moved.
@safe final class Inflater {
  /// Compressed bytes taken so far, over all streams.
  private(set) var consumedBytes = 0
  private var producedBytes = 0

  private let limit: Int
  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableBufferPointer<UInt8>
  private var isReady = false

  /// `limit` is how many bytes may come out over all streams.
  init(limit: Int) {
    self.limit = limit
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe output = .allocate(capacity: 32 << 10)
  }

  deinit {
    if isReady { unsafe inflateEnd(stream) }
    unsafe stream.deallocate()
    unsafe output.deallocate()
  }

  /// Prepares for a new stream.
  /// - Throws: `CodingError.outOfMemory`.
  func begin(window: Int32) throws(CodingError) {
    let result = unsafe isReady ? inflateReset2(stream, window) : launch_inflate_init(stream, window)
    guard result == Z_OK else { throw .outOfMemory }
    isReady = true
  }

  /// Takes bytes from the front of `input` and appends what they decompress to; true when the stream is complete.
  ///
  /// Otherwise all of `input` has been taken.
  /// - Throws: `CodingError.tooLarge`, `corrupt`, or `outOfMemory`.
  func inflate(_ input: inout ArraySlice<UInt8>, into content: inout [UInt8]) throws(CodingError) -> Bool {
    while true {
      let (result, taken, made) = step(input)
      input = input.dropFirst(taken)
      consumedBytes += taken
      guard made <= limit - producedBytes else { throw .tooLarge(limit: limit) }
      producedBytes += made
      unsafe content.append(contentsOf: output.prefix(made))
      switch result {
      case Z_STREAM_END: return true
      case Z_OK where unsafe !input.isEmpty || made == output.count: continue
      case Z_OK: return false
      case Z_BUF_ERROR where input.isEmpty: return false
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .corrupt(offset: consumedBytes)
      }
    }
  }

  /// One call of zlib: its result, the bytes it took, and the bytes it left in `output`.
  private func step(_ input: ArraySlice<UInt8>) -> (result: Int32, taken: Int, made: Int) {
    unsafe input.withUnsafeBufferPointer { input in
      let offered = UInt32(clamping: input.count)
      unsafe stream.pointee.next_in = input.baseAddress
      unsafe stream.pointee.avail_in = offered
      unsafe stream.pointee.next_out = output.baseAddress
      unsafe stream.pointee.avail_out = UInt32(clamping: output.count)
      let result = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
      let taken = unsafe Int(offered - stream.pointee.avail_in)
      let made = unsafe output.count - Int(stream.pointee.avail_out)
      unsafe stream.pointee.next_in = nil
      return (result, taken, made)
    }
  }
}
