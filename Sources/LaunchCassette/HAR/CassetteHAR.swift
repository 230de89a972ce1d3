import LaunchFile
import LaunchJSON

extension Cassette {
  /// Reads a HAR of version 1.1 to 1.3, plain or zipped, as browsers, proxies and test tools export it.
  ///
  /// ```swift
  /// let cassette = try Cassette(har: bytes, path: "checkout.har", inflate: { try? rawInflate($0) })
  /// for warning in cassette.warnings { print(warning) }  // checkout.har:812:5: warning: log.entries[3]…
  /// ```
  ///
  /// Every entry becomes a call, in the order of their starts; an entry without an answer becomes a failure. What had to
  /// be repaired is a warning with the index of its entry. What the cassette has no place for is kept, so that `har` gives
  /// the same HAR back. The whole is one launch, closed at its end.
  /// - Parameters:
  ///   - path: What messages call the file; its last part names the cassette.
  ///   - inflate: Undoes raw deflate (RFC 1951) for members of a zip file; nil when it cannot.
  ///   - attachment: The content of a file beside the HAR that holds a body (`_file`); nil when there is none. Never
  ///     asked for a file outside of the HAR's folder, nor for a zipped HAR, which has its own.
  /// - Throws: `CassetteError.malformed` with the one reason why the bytes are no HAR.
  public init(
    har bytes: [UInt8], path: String, inflate: @escaping ([UInt8]) -> [UInt8]? = { _ in nil },
    attachment: @escaping (_ name: String) -> [UInt8]? = { _ in nil }
  ) throws(CassetteError) {
    if ZipArchive.isZip(bytes) {
      try self.init(zippedHAR: bytes, path: path, inflate: inflate)
    } else {
      try self.init(har: bytes, path: path, HARAttachments(content: attachment))
    }
  }

  private init(har bytes: [UInt8], path: String, _ attachments: HARAttachments) throws(CassetteError) {
    let source = try HARSource(bytes, path: path)
    guard source.root["log"]?.object != nil else {
      throw source.failure("the file is JSON but no HAR: it has no object \"log\"")
    }
    var importer = HARImporter(source.root, name: harName(of: path), attachments: attachments)
    self = importer.cassette()
    warnings = source.warnings(for: importer.remarks.all)
  }

  private init(
    zippedHAR bytes: [UInt8], path: String, inflate: @escaping ([UInt8]) -> [UInt8]?
  ) throws(CassetteError) {
    func failure(_ message: String) -> CassetteError {
      .malformed([Diagnostic(severity: .error, path: path, line: 1, column: 1, message: message)])
    }
    let archive: ZipArchive
    let har: [UInt8]
    let name: String
    do throws(ZipArchive.Failure) {
      archive = try ZipArchive(bytes)
      let candidates = archive.names.filter { $0.lowercased().hasSuffix(".har") }
      let usual = candidates.first { ["har.har", "trace.har"].contains($0) }
      guard let found = usual ?? candidates.first, usual != nil || candidates.count == 1 else {
        throw ZipArchive.Failure(
          message: candidates.isEmpty
            ? "the zip file holds no *.har" : "the zip file holds several HARs; unpack the one that is meant")
      }
      name = found
      har = try archive.content(of: found, inflate: inflate) ?? []
    } catch {
      throw failure(error.message)
    }
    guard !ZipArchive.isZip(har) else { throw failure("\(name) in the zip file is a zip file itself; unpack it first") }
    let folder = name.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(name[...$0]) } ?? ""
    let attachments = HARAttachments { (name) throws(ZipArchive.Failure) in
      try archive.content(of: folder + name, inflate: inflate)
    }
    try self.init(har: har, path: path, attachments)
  }

  /// The cassette as HAR 1.2, which browsers and proxies open: one entry a call, in the order of the requests.
  ///
  /// What HAR has no place for (marks, the instant of each chunk, trailers, …) stands in members `_launchtape`, from which
  /// `init(har:)` makes this same cassette again; warnings are not kept. A cassette that is an imported HAR, unchanged,
  /// becomes that HAR again and gets no such members.
  public var har: [UInt8] { HARExporter(self).root.serialized + [UInt8(ascii: "\n")] }
}

extension Cassette {
  /// Reads the cassette or HAR at `path`, told apart by the name (`.har`, `.zhar`, `.zip`), else by what the file begins with.
  ///
  /// Bodies that a HAR keeps in files are read from its folder.
  /// - Parameter inflate: Undoes raw deflate (RFC 1951), for zipped HARs; nil when it cannot.
  /// - Throws: `CassetteError`; `malformed` carries everything that is wrong with a cassette, and for a HAR the one reason
  ///   why it is none.
  public init(file path: String, inflate: @escaping ([UInt8]) -> [UInt8]?) throws(CassetteError) {
    let name = path.lowercased()
    let isNamed = [".har", ".zhar", ".zip"].contains(where: name.hasSuffix)
    guard isNamed || !name.hasSuffix(".cassette") && fileExists(path) else {
      try self.init(path: path)
      return
    }
    let bytes: [UInt8]
    do throws(FileError) { bytes = try readFile(path) } catch { throw .file(error) }
    try self.init(read: bytes, from: path, isHAR: isNamed, inflate: inflate)
  }

  /// The same for what was read already: a pipe gives its bytes only once.
  package init(
    read bytes: [UInt8], from path: String, isHAR: Bool = false, inflate: @escaping ([UInt8]) -> [UInt8]?
  ) throws(CassetteError) {
    guard isHAR || Self.looksLikeHAR(bytes) else {
      let source = CassetteSource(path)
      try self.init(parsing: bytes, path: path, loadBody: source.loadBody)
      warnings = source.warnings + warnings
      return
    }
    try self.init(har: bytes, path: path, inflate: inflate) { name in
      try? readFile(joinPath(parentFolder(of: path), name))
    }
  }

  /// Whether bytes begin like a zip file, or like an object whose first member is `log`.
  package static func looksLikeHAR(_ bytes: [UInt8]) -> Bool {
    if ZipArchive.isZip(bytes) { return true }
    var start = bytes.prefix(256)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    let text = start.filter { $0 > 0x20 }
    return text.starts(with: #"{"log":"#.utf8)
  }
}

/// What the cassette of a HAR at `path` is called: the file's name without its ending.
private func harName(of path: String) -> String {
  let file = path.split(separator: "/").last.map(String.init) ?? path
  let ending = [".har", ".zhar", ".har.zip", ".zip"].first { file.lowercased().hasSuffix($0) }
  return ending.map { String(file.dropLast($0.count)) } ?? file
}
