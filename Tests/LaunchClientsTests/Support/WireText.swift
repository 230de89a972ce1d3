import LaunchHTTP

extension Request {
  /// The request as a golden text: location, header lines, an empty line, the body.
  var wireText: String {
    let lines = ["\(method) \(location)"] + fields.map { "\($0.name): \($0.value)" }
    return (lines + ["", String(decoding: body.bytes, as: UTF8.self)]).joined(separator: "\n")
  }
}
