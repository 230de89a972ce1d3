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
  list.split(separator: ",").map(contentCoding).filter { !$0.isEmpty && $0 != "identity" }
}

/// The name of a content coding in lower case, without the blanks around it.
///
/// RFC 9110 section 8.4.1: old names are to be taken as the new ones.
func contentCoding(_ name: Substring) -> String {
  let start = name.utf8.drop { $0.isBlank }
  let length = start.count - start.reversed().prefix { $0.isBlank }.count
  let name = String(decoding: start.prefix(length), as: UTF8.self).lowercasedASCII
  return name == "x-gzip" || name == "x-compress" ? String(name.dropFirst(2)) : name
}
