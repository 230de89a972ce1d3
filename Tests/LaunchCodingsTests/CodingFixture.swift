import Foundation

/// Files of `Tests/Fixtures/codings`, encoded by the command line tools of brotli 1.0.9, zstd 1.5.4 and gzip:
///
/// - `content.txt` is what all but these decode to: `empty`, `zeros-1g` (2^30 zeros) and `long-window.zst`.
/// - `best` and `fast` by `brotli -q 11` and `-q 1 -w 10`, `best` by `zstd -19 --no-check`, `checked` by `zstd -1 --check`.
/// - `frames.zst`: a frame, one to skip, a frame, one to skip.
/// - `content.gz.br` and `content.gz.zst.gz` were encoded in the order their names tell.
/// - `zeros-1g.br` by `brotli -q 5`, `.zst` by `zstd -19`, `.gz.br` by `gzip -9` and `brotli -q 11`.
/// - `long-window.zst` by `zstd --long=27`: a window of 128 MiB. `long-window-small.zst` only says that it has one.
enum CodingFixture {
  static func bytes(_ name: String) throws -> [UInt8] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: tests.appendingPathComponent("Fixtures/codings/\(name)")))
  }

  static func content() throws -> [UInt8] { try bytes("content.txt") }
}
