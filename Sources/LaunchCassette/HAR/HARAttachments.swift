import LaunchJSON

/// Bodies that a HAR keeps in files beside it, as Playwright does, or in the zip file around it.
struct HARAttachments {
  /// The content of the file `name`; nil when there is none. Throws where there is one that cannot be unpacked.
  let content: (_ name: String) throws(ZipArchive.Failure) -> [UInt8]?

  /// The entry with the text of each body that stands in a file.
  func including(_ entry: JSON, _ remarks: inout HARRemarks) -> JSON {
    var entry = entry
    for (message, member) in [("request", "postData"), ("response", "content")] {
      guard var outer = entry[message]?.object, var inner = outer[member]?.object, inner["text"]?.harText == nil,
        let name = inner["_file"]?.harText
      else { continue }
      let place = "\(message).\(member)._file"
      let found: [UInt8]?
      do throws(ZipArchive.Failure) {
        found = Self.staysBeside(name) ? try content(name) : nil
      } catch {
        remarks.add(place, error.message)
        continue
      }
      guard let bytes = found else {
        remarks.add(place, "\(JSON.string(name).shown) is not beside the HAR")
        continue
      }
      if let text = String(validating: bytes, as: UTF8.self) {
        inner["text"] = .string(text)
      } else {
        inner["text"] = .string(String(decoding: Base64.encode(bytes), as: UTF8.self))
        inner["encoding"] = "base64"
      }
      outer[member] = .object(inner)
      entry = entry.setting(message, to: .object(outer))
    }
    return entry
  }

  /// Whether a name leads to the HAR's own folder or below; one from elsewhere must not choose what is read.
  private static func staysBeside(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix("/") && !name.utf8.contains(0)
      && !name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains("..")
  }
}

extension JSON {
  /// An object with this member in place of its own; every other value as it is.
  func setting(_ key: String, to value: JSON?) -> JSON {
    guard case .object(var object) = self else { return self }
    object[key] = value
    return .object(object)
  }
}
