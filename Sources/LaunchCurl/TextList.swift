import CCurl
import LaunchHTTP

/// A list of texts as libcurl takes them, which it does not copy.
@safe final class TextList {
  /// Nil for an empty list.
  private(set) var pointer: UnsafeMutablePointer<curl_slist>?

  /// - Throws: `protocol` when libcurl gets no memory.
  init(_ texts: [String]) throws(TransportError) {
    for text in texts {
      // Nil leaves the list as it was.
      guard let longer = unsafe curl_slist_append(pointer, text) else {
        throw .unsendable("libcurl gets no memory for the header")
      }
      unsafe pointer = longer
    }
  }

  deinit { unsafe curl_slist_free_all(pointer) }
}
