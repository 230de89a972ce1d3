extension Fields {
  /// The content encoding this header names: its codings in the order they were applied, `gzip, br`; nil for none.
  ///
  /// All lines count, `identity` does not. Names are in lower case, and old names are the new ones.
  package var contentEncoding: String? {
    let codings = contentCodings(in: values("Content-Encoding").joined(separator: ","))
    return codings.isEmpty ? nil : codings.joined(separator: ", ")
  }
}

/// The content codings in a comma-separated list, `identity` left out.
func contentCodings(in list: String) -> [String] {
  list.utf8.split(separator: 0x2C).map { element in
    contentCoding(String(decoding: element.filter { !$0.isBlank }, as: UTF8.self))
  }.filter { !$0.isEmpty && $0 != "identity" }
}

/// The name of a content coding in lower case. RFC 9110 section 8.4.1: old names are to be taken as the new ones.
func contentCoding(_ name: String) -> String {
  let name = name.lowercasedASCII
  return name == "x-gzip" || name == "x-compress" ? String(name.dropFirst(2)) : name
}
