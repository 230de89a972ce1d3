import Foundation
import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import Testing

/// `Tests/Fixtures/motisig/openapi.json`, which a schema fuzzer can be pointed at, describes the stand-in as it is.
@Suite struct MotiSigDescriptionTests {
  private static func description() throws -> JSON {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try JSON(parsing: Array(try Data(contentsOf: tests.appending(path: "Fixtures/motisig/openapi.json"))))
  }

  @Test func `every described call is there, wants its credentials, and answers as described`() throws {
    let description = try Self.description()
    let paths = try #require(description["paths"]?.object)
    var count = 0
    for path in paths.members {
      let url =
        "https://api.motisig.ai/client"
        + path.key.replacing("{userId}", with: "u1")
        .replacing("{orgId}", with: "org").replacing("{projectId}", with: "project")
      for call in path.value.object?.members ?? [] {
        var sandbox = MotiSigSandbox()
        let codes = call.value["responses"]?.object?.members.map(\.key) ?? []
        var request = try Request(call.key.uppercased(), url, ["Content-Type": "application/json"])
        let isOpen = call.value["security"]?.array?.isEmpty == true
        #expect(sandbox.respond(to: request).status == (isOpen ? 200 : 401), "\(call.key) \(path.key)")
        request.fields["X-API-Key"] = "key"
        request.fields["X-Project-ID"] = "project"
        for body in ["", "{}", #"{"id":"u1"}"#, #"{"id":"u1"}"#, "[", #"{"userId":"u1","eventName":"e"}"#] {
          request.body = Body(Array(body.utf8))
          let status = sandbox.respond(to: request).status ?? 0
          #expect(codes.contains("\(status)"), "\(call.key) \(path.key) answers \(status) to \(body)")
        }
        count += 1
      }
    }
    #expect(count == 27)
  }

  @Test func `what is not described is not there`() throws {
    let paths = try #require(try Self.description()["paths"]?.object)
    for path in paths.members {
      let url = "https://api.motisig.ai/client" + path.key.replacing("{", with: "").replacing("}", with: "")
      for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] where path.value[method.lowercased()] == nil {
        var sandbox = MotiSigSandbox()
        #expect(sandbox.respond(to: try Request(method, url)).status == 405, "\(method) \(path.key)")
      }
    }
  }
}
