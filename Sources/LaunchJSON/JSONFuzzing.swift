/// The entry point for a fuzzer: reads `bytes` in every way there is.
///
/// Returns whether they are JSON. Stops the program only if two ways disagree.
@discardableResult
package func fuzzJSON(_ bytes: [UInt8]) -> Bool {
  var reader = JSONReader(bytes)
  let skipped: JSONError?
  do throws(JSONError) {
    try reader.skipValue()
    try reader.finish()
    skipped = nil
  } catch {
    skipped = error
  }
  do throws(JSONError) {
    let value = try JSON(parsing: bytes)
    precondition(skipped == nil, "skipping refused what parsing took")
    let serialized = value.serialized
    precondition((try? JSON(parsing: serialized)) == value, "the written value reads differently")
    precondition(JSON.isCompact(bytes) == (serialized == bytes), "compactness was misjudged")
    let canonical = value.canonical
    precondition((try? JSON(parsing: canonical))?.canonical == canonical, "the canonical form is not stable")
    return true
  } catch {
    precondition(skipped == error, "skipping and parsing disagree about the error")
    precondition(0...bytes.count ~= error.offset, "the error lies outside of the text")
    precondition(!JSON.isCompact(bytes), "compactness was misjudged")
    return false
  }
}
