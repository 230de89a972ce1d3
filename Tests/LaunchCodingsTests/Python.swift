import Foundation

/// Python's `gzip` and `zlib` modules, the other implementation the codecs are compared with.
enum Python {
  struct Failure: Error { var status: Int32 }

  /// The value of a Python expression over `content`.
  static func encode(_ content: [UInt8], with expression: String) throws -> [UInt8] {
    let script = """
      import gzip, subprocess, sys, zlib
      def bare(content, level):
          compressor = zlib.compressobj(level, zlib.DEFLATED, -15)
          return compressor.compress(content) + compressor.flush()
      content = open(sys.argv[1], 'rb').read()
      open(sys.argv[2], 'wb').write(\(expression))
      """
    return try run(script, input: content)
  }

  /// One gzip stream, flushed after each text, as a server that streams sends it.
  static func pieces(_ texts: [String]) throws -> [[UInt8]] {
    let script = """
      import sys, zlib
      compressor = zlib.compressobj(6, zlib.DEFLATED, 31)
      texts = open(sys.argv[1], 'rb').read().split(b'|')
      pieces = [compressor.compress(text) + compressor.flush(zlib.Z_SYNC_FLUSH) for text in texts]
      pieces[-1] += compressor.flush()
      open(sys.argv[2], 'wb').write(' '.join(piece.hex() for piece in pieces).encode())
      """
    let lines = try run(script, input: Array(texts.joined(separator: "|").utf8))
    return String(decoding: lines, as: UTF8.self).split(separator: " ").map { line in
      let digits = Array(line.utf8)
      return stride(from: 0, to: digits.count, by: 2).map { index in
        UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16) ?? 0
      }
    }
  }

  /// Whether a command of this name is installed.
  static func hasTool(_ name: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  private static func run(_ script: String, input: [UInt8]) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["input", "output"].map { folder.appendingPathComponent($0) }
    try Data(input).write(to: files[0])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + files.map(\.path)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return [UInt8](try Data(contentsOf: files[1]))
  }
}
