extension XMLScanner {
  /// Reads what stands in front of the first element: the XML declaration and the DOCTYPE, if they are there.
  mutating func skipProlog(isUTF16: Bool) throws(PropertyListError) {
    if rest.starts(with: "<?xml".utf8), rest.dropFirst(5).first?.isXMLNameByte != true {
      try readDeclaration(isUTF16: isUTF16)
    }
    try skipMisc()
    if skip("<!DOCTYPE") { try readDocumentType() }
  }

  private mutating func readDeclaration(isUTF16: Bool) throws(PropertyListError) {
    offset += "<?xml".utf8.count
    while skipBlanks(), !rest.starts(with: "?>".utf8) {
      let start = offset
      let (name, value) = try attribute()
      switch name {
      case "version" where value.hasPrefix("1."), "standalone": break
      case "encoding":
        let known = isUTF16 ? ["UTF-16"] : rest.allSatisfy { $0 < 0x80 } ? ["UTF-8", "US-ASCII"] : ["UTF-8"]
        guard known.contains(value.uppercased()) else {
          throw fail(
            "the file says that it is '\(value)' and is \(isUTF16 ? "UTF-16" : "read as UTF-8"); save it as UTF-8, with "
              + "encoding=\"UTF-8\"", at: start)
        }
      default: throw fail("an XML declaration is written <?xml version=\"1.0\" encoding=\"UTF-8\"?>", at: start)
      }
    }
    guard skip("?>") else { throw fail("'?>' closes the XML declaration") }
  }

  private mutating func readDocumentType() throws(PropertyListError) {
    skipBlanks()
    let start = offset
    guard name() == "plist" else {
      throw fail("expected <!DOCTYPE plist …>, as every property list has it", at: start)
    }
    skipBlanks()
    if skip("PUBLIC") {
      skipBlanks()
      _ = try quoted("the public name of the document type")
      skipBlanks()
      _ = try quoted("the address of the document type")
    } else if skip("SYSTEM") {
      skipBlanks()
      _ = try quoted("the address of the document type")
    }
    skipBlanks()
    if rest.first == UInt8(ascii: "[") {
      throw fail("declarations inside DOCTYPE are refused: a property list needs none, and entities could blow it up")
    }
    guard skip(">") else { throw fail("'>' closes DOCTYPE") }
  }
}
