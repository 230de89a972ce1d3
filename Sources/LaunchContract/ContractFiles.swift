/// The first step: the lines of every file, their headers and tolerances.
extension ContractParser {
  /// Reads a file's lines, and those of the files it includes.
  /// - Parameter chain: The files whose `include` led here, outermost first.
  mutating func readLines(_ bytes: [UInt8], file name: String, chain: [String], tolerance: Int64? = nil) {
    var unreadable: [(Mistake, SourceText.Line)] = []
    let place = files.count
    if refuse(bytes, name) { return }
    files.append(SourceFile(bytes, name: name) { unreadable.append(($0, $1)) })
    for (mistake, line) in unreadable {
      report(mistake, place, line)
      salvage(line, place)
    }
    readHeader(place)
    readTolerances(place)
    if files[place].tolerance == nil { files[place].tolerance = tolerance }
    for index in files[place].lines.indices where files[place].lines[index].first?.isWord("include") == true {
      readInclude(index, place, chain + [name])
    }
  }

  /// Declares what a line that cannot be read would have declared, so that its mistake is reported once.
  private mutating func salvage(_ line: SourceText.Line, _ file: Int) {
    let words = line.text.split { $0 == " " || $0 == "\t" || $0 == "=" || $0 == "," }
    if words.first == "contract" { files[file].hasHeader = true }
    guard words.count > 1, words[0] == "mark" || words[0] == "call" else { return }
    for word in words.dropFirst() {
      _ = names.add(Declaration(name: String(word), meaning: .unusable, file: files[file].name, line: line.number))
    }
  }

  private mutating func readHeader(_ file: Int) {
    let first = files[file].firstLine
    for (index, line) in files[file].lines.enumerated() where line.first?.isWord("contract") == true {
      guard index == first else {
        report(
          Mistake(column: line.tokens[0].column, message: "the header stands once, on the first line"), file,
          line.source)
        continue
      }
      files[file].hasHeader = true
      do throws(Mistake) {
        files[file].title = try Self.title(line)
      } catch {
        report(error, file, line.source)
      }
    }
  }

  private static func title(_ line: SourceFile.Line) throws(Mistake) -> String {
    var cursor = TokenCursor(line.tokens)
    try cursor.expect("contract")
    let title = try cursor.string("the contract's name in quotes").text
    try cursor.expect("version")
    let column = cursor.column
    let version = try cursor.count("a version number")
    guard version == 1 else {
      throw Mistake(column: column, message: "version \(version) is not known; this reader knows version 1")
    }
    try cursor.expectEnd()
    return title
  }

  private mutating func readTolerances(_ file: Int) {
    for line in files[file].lines where line.first?.isWord("tolerance") == true {
      do throws(Mistake) {
        var cursor = TokenCursor(line.tokens)
        guard files[file].tolerance == nil else {
          throw Mistake(column: cursor.column, message: "the tolerance is already set")
        }
        files[file].tolerance = 0
        try cursor.expect("tolerance")
        files[file].tolerance = try cursor.duration()
        try cursor.expectEnd()
      } catch {
        report(error, file, line.source)
      }
    }
  }

  private mutating func readInclude(_ index: Int, _ file: Int, _ chain: [String]) {
    let line = files[file].lines[index]
    do throws(Mistake) {
      var cursor = TokenCursor(line.tokens)
      try cursor.expect("include")
      let token = try cursor.string("the path of a contract in quotes")
      try cursor.expectEnd()
      if token.text.isEmpty { throw Mistake(column: token.column, message: "the path of a contract is missing") }
      let path = ContractPath.resolve(token.text, from: files[file].name)
      let identity = ContractPath.identity(of: path)
      if let start = chain.firstIndex(where: { ContractPath.identity(of: $0) == identity }) {
        let way = chain[(start + 1)...].joined(separator: ", ")
        throw Mistake(
          column: token.column, message: "\(path) includes itself" + (way.isEmpty ? "" : ", by way of \(way)"))
      }
      if chain.count > 32 { throw Mistake(column: token.column, message: "includes lie more than 32 files deep") }
      // By whichever way a file is included, its rules count once.
      if files.contains(where: { $0.identity == identity }) { return }
      guard let include else { throw Mistake(column: token.column, message: "includes cannot be read here") }
      let bytes: [UInt8]
      do { bytes = try include(path) } catch { throw Mistake(column: token.column, message: "\(error)") }
      files[file].lines[index].included = files.count
      readLines(bytes, file: path, chain: chain, tolerance: files[file].tolerance)
    } catch {
      report(error, file, line.source)
    }
  }
}
