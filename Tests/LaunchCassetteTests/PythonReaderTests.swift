import Foundation
import LaunchCassette
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// The reader in Python knows nothing but the format's page. Both must read the same.
struct PythonReaderTests {
  @Test(.enabled(if: python != nil, "python3 is not installed"), arguments: Self.cassettes())
  func `a reader written after the page reads the same`(path: String) throws {
    let cassette = try Cassette(path: path)
    let dump = ([cassette.header.dump] + cassette.events.map(\.dump)).map(\.text)
    #expect(dump == (try Self.askPython(path)))
  }

  @Test func `what a checked-in cassette says is written again in the same bytes`() throws {
    for path in Self.cassettes() where path.hasSuffix(".cassette") && !path.hasSuffix("forms.cassette") {
      let bytes = try Data(contentsOf: URL(filePath: path))
      #expect(try Cassette(path: path).serialized == Array(bytes), "\(path)")
    }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let fixtures = root.appending(path: "Tests/Fixtures/cassette")

  private static func cassettes() -> [String] {
    [root.appending(path: "cassettes"), fixtures].flatMap { folder in
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return files.filter { $0.hasSuffix(".cassette") || $0.hasSuffix(".part") }.sorted()
        .map { folder.appending(path: $0).path }
    }
  }

  private static func askPython(_ path: String) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = python
    process.arguments = ["-X", "utf8", fixtures.appending(path: "reader.py").path, path]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static let python: URL? = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
    .map { URL(filePath: $0) }
}

extension CassetteHeader {
  fileprivate var dump: JSON {
    var members: [String: JSON?] = ["cassette": 1, "name": .string(name)]
    members["recorded"] = recorded.isEmpty ? nil : .string(recorded)
    members["by"] = by.isEmpty ? nil : .string(by)
    return object(members, unknown)
  }
}

extension Event {
  /// The event as `reader.py` prints it.
  fileprivate var dump: JSON {
    var members: [String: JSON?] = ["at": .integer(at.microseconds)]
    switch kind {
    case .launch(let number): members["launch"] = integer(number)
    case .mark(let mark):
      members["mark"] = .string(mark.name)
      members["fields"] = .object(mark.fields)
    case .closed(let closing):
      members["closed"] = true
      members["events"] = integer(closing.events)
      members["redacted"] = .object(closing.redacted)
      members["overhead"] = closing.overhead.map {
        ["deliveries": integer($0.deliveries), "p50": time($0.p50), "p99": time($0.p99), "max": time($0.max)]
      }
    case .call(let call, let step):
      members["call"] = integer(call)
      if case .request(_, let origin?) = step { members["from"] = integer(origin) }
      members[step.name] = object(step.dump, unknownInside)
    }
    return object(members, unknown)
  }
}

extension Event.Step {
  fileprivate var dump: [String: JSON?] {
    switch self {
    case .request(let request, _):
      [
        "method": .string(request.method), "url": .string(request.location.description),
        "headers": list(request.fields), "body": base64(request.body),
      ]
    case .connection(let connection):
      [
        "id": integer(connection.id), "address": .string(connection.address), "reused": .bool(connection.isReused),
        "dns": connection.dns.map(time), "connect": connection.connect.map(time), "tls": connection.tls.map(time),
        "http": .string(connection.version.rawValue),
      ]
    case .sent: [:]
    case .informational(let head), .response(let head):
      ["status": integer(head.status), "headers": list(head.fields), "http": .string(head.version.rawValue)]
    case .chunk(let bytes): ["bytes": integer(bytes)]
    case .end(let content): content.dump
    case .error(let error, let content):
      content.dump.merging([
        "reason": .string(error.reason.rawValue), "phase": .string(error.phase.rawValue),
        "message": .string(error.message),
      ]) { $1 }
    }
  }
}

extension Content {
  fileprivate var dump: [String: JSON?] {
    [
      "body": base64(body), "trailers": list(trailers), "encoding": encoding.map { .string($0) },
      "wireBytes": wireBytes.map(integer), "raw": .bool(isRaw), "missing": .bool(isMissing),
    ]
  }
}

private func object(_ members: [String: JSON?], _ unknown: JSONObject) -> JSON {
  let known = members.compactMap { key, value in value.map { JSONObject.Member(key, $0) } }
  return .object(JSONObject((known + unknown.members).sorted { $0.key < $1.key }))
}

private func integer(_ number: Int) -> JSON { .integer(Int64(number)) }

private func time(_ duration: Duration) -> JSON { .integer(Int64(duration / .microseconds(1))) }

private func list(_ fields: Fields) -> JSON { .array(fields.map { [.string($0.name), .string($0.value)] }) }

private func base64(_ body: Body) -> JSON { .string(Data(body.bytes).base64EncodedString()) }
