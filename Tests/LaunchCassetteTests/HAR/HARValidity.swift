@testable import LaunchCassette
import LaunchJSON

/// Everything about a HAR that version 1.2 of the format forbids; empty for a valid one.
func harProblems(_ root: JSON) -> [String] {
  var check = HARCheck()
  check.file(root)
  return check.problems
}

/// Goes through a HAR with the member lists of the format at hand.
private struct HARCheck {
  private(set) var problems: [String] = []

  mutating func file(_ root: JSON) {
    members(root, "root", required: ["log"])
    let log = root["log"] ?? .null
    members(
      log, "log", required: ["version", "creator", "entries"], optional: ["browser", "pages", "comment"])
    expect(log["version"] == "1.2", "log.version")
    members(log["creator"], "log.creator", required: ["name", "version"], optional: ["comment"])
    var last = ""
    for (index, entry) in (log["entries"]?.array ?? []).enumerated() {
      self.entry(entry, "log.entries[\(index)]")
      let start = entry["startedDateTime"]?.string ?? ""
      expect(HARDate(last).map { $0.microseconds <= HARDate(start)?.microseconds ?? 0 } ?? true, "order of entries")
      last = start
    }
  }

  private mutating func entry(_ entry: JSON, _ path: String) {
    members(
      entry, path, required: ["startedDateTime", "time", "request", "response", "cache", "timings"],
      optional: ["pageref", "serverIPAddress", "connection", "comment"])
    expect(HARDate(entry["startedDateTime"]?.string ?? "")?.isZoneless == false, "\(path).startedDateTime")
    expect(entry["connection"].map { $0.string != nil } ?? true, "\(path).connection")
    expect(entry["serverIPAddress"].map { $0.string?.isEmpty == false } ?? true, "\(path).serverIPAddress")
    request(entry["request"] ?? .null, "\(path).request")
    response(entry["response"] ?? .null, "\(path).response")
    timings(entry, path)
  }

  private mutating func request(_ request: JSON, _ path: String) {
    members(
      request, path,
      required: ["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"],
      optional: ["postData", "comment"])
    expect(request["url"]?.string?.contains("#") == false, "\(path).url has a fragment")
    pairs(request["headers"], "\(path).headers")
    pairs(request["cookies"], "\(path).cookies")
    pairs(request["queryString"], "\(path).queryString")
    if let data = request["postData"] {
      members(data, "\(path).postData", required: ["mimeType"], optional: ["text", "params", "comment"])
      expect((data["text"] == nil) != (data["params"] == nil), "\(path).postData needs one of text and params")
    }
    size(request["bodySize"], "\(path).bodySize")
  }

  private mutating func response(_ response: JSON, _ path: String) {
    members(
      response, path,
      required: [
        "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize",
        "bodySize",
      ], optional: ["comment"])
    expect(response["status"]?.integer != nil, "\(path).status")
    expect(response["redirectURL"]?.string != nil, "\(path).redirectURL")
    pairs(response["headers"], "\(path).headers")
    pairs(response["cookies"], "\(path).cookies")
    size(response["bodySize"], "\(path).bodySize")
    let content = response["content"] ?? .null
    members(
      content, "\(path).content", required: ["size", "mimeType"],
      optional: ["compression", "text", "encoding", "comment"])
    let text = content["text"]?.string ?? ""
    let count = content["encoding"] == "base64" ? Base64.decode(text.utf8)?.count : text.utf8.count
    if content["comment"] == nil {
      expect(content["size"]?.integer == count.map(Int64.init), "\(path).content.size")
      if let saved = content["compression"]?.integer, let size = content["size"]?.integer,
        let wire = response["bodySize"]?.integer
      {
        expect(size - saved == wire || wire == -1, "\(path).content.compression")
      }
    }
  }

  private mutating func timings(_ entry: JSON, _ path: String) {
    let timings = entry["timings"] ?? .null
    members(
      timings, "\(path).timings", required: ["send", "wait", "receive"],
      optional: ["blocked", "dns", "connect", "ssl", "comment"])
    func microseconds(_ name: String) -> Int64 { timings[name]?.harMicroseconds ?? -1000 }
    for name in ["send", "wait", "receive"] { expect(microseconds(name) >= 0, "\(path).timings.\(name)") }
    for name in ["blocked", "dns", "connect", "ssl"] {
      expect(microseconds(name) >= 0 || microseconds(name) == -1000, "\(path).timings.\(name)")
    }
    expect(microseconds("ssl") <= microseconds("connect"), "\(path).timings.ssl is not part of connect")
    let sum = ["blocked", "dns", "connect", "send", "wait", "receive"].reduce(0) { $0 + max(0, microseconds($1)) }
    expect(entry["time"]?.harMicroseconds == sum, "\(path).time is not the sum")
  }

  private mutating func pairs(_ list: JSON?, _ path: String) {
    guard let list = list?.array else { return problems.append("\(path) is no list") }
    expect(list.allSatisfy { $0["name"]?.string != nil && $0["value"]?.string != nil }, path)
  }

  private mutating func size(_ size: JSON?, _ path: String) { expect(size?.integer ?? -2 >= -1, path) }

  /// Every required member, and no other than these and those with an underscore.
  private mutating func members(_ json: JSON?, _ path: String, required: [String], optional: [String] = []) {
    guard let object = json?.object else { return problems.append("\(path) is no object") }
    for key in required where object[key] == nil { problems.append("\(path).\(key) is missing") }
    for key in object.members.map(\.key) where !key.hasPrefix("_") && !(required + optional).contains(key) {
      problems.append("\(path).\(key) is unknown")
    }
    expect(object.duplicateKey == nil, "\(path) has a member twice")
  }

  private mutating func expect(_ isRight: Bool, _ problem: String) { if !isRight { problems.append(problem) } }
}
