import LaunchHTTP
import LaunchJSON
import LaunchSandbox

/// Stand-ins that follow a launch which a cassette answers, and step in where it cannot.
///
/// Before they do, they answer for themselves every request so far, so that they know what the vendors would know. Where they
/// give other names than the cassette (a user's id, a token), they learn that both mean the same.
struct Understudies {
  private var sandbox: VendorSandbox
  /// Recorded names, and their own for the same.
  private var names: [(recorded: String, own: String)] = []
  /// What the cassette has answered since they stepped in last.
  private var seen: [(request: Request, answer: Answer)] = []

  init(_ sandbox: VendorSandbox) { self.sandbox = sandbox }

  /// The cassette has answered.
  mutating func note(_ request: Request, _ recorded: Answer) { seen.append((request, recorded)) }

  mutating func answer(_ request: Request) -> Answer {
    catchUp()
    var answer = sandbox.respond(to: translated(request))
    let back = names.map { ($0.own, $0.recorded) }
    for index in answer.parts.indices {
      guard case .chunk(let chunk) = answer.parts[index].part else { continue }
      answer.parts[index].part = .chunk(Chunk(replaced(String(decoding: chunk.content, as: UTF8.self), back)))
    }
    return answer
  }

  private mutating func catchUp() {
    for (request, recorded) in seen where VendorSandbox.call(of: request) != .unknown {
      let mine = sandbox.respond(to: translated(request))
      guard let said = try? JSON(parsing: recorded.content), let meant = try? JSON(parsing: mine.content) else {
        continue
      }
      learn(said, meant)
    }
    seen = []
  }

  /// Names that stand at the same place of both answers mean the same.
  private mutating func learn(_ said: JSON, _ meant: JSON) {
    switch (said, meant) {
    case (.string(let said), .string(let meant)) where said != meant && said.utf8.count >= 8 && meant.utf8.count >= 8:
      if !names.contains(where: { $0.recorded == said }) { names.append((said, meant)) }
    case (.object(let said), .object(let meant)):
      for member in said.members { if let value = meant[member.key] { learn(member.value, value) } }
    case (.array(let said), .array(let meant)):
      for (said, meant) in zip(said, meant) { learn(said, meant) }
    default: break
    }
  }

  private func translated(_ request: Request) -> Request {
    guard !names.isEmpty else { return request }
    let names = names.map { ($0.recorded, $0.own) }
    var request = request
    let text = "\(request.location)"
    if let location = try? Location(parsing: String(decoding: replaced(text, names), as: UTF8.self)) {
      request.location = location
    }
    request.fields = Fields(
      request.fields.map { Field($0.name, String(decoding: replaced($0.value, names), as: UTF8.self)) })
    request.body = Body(replaced(String(decoding: request.body.bytes, as: UTF8.self), names))
    return request
  }

  private func replaced(_ text: String, _ names: [(String, String)]) -> [UInt8] {
    var text = text
    for (name, other) in names where text.contains(name) { text = text.replacing(name, with: other) }
    return Array(text.utf8)
  }
}

extension Answer {
  fileprivate var content: [UInt8] {
    parts.flatMap { timed -> [UInt8] in if case .chunk(let chunk) = timed.part { Array(chunk.content) } else { [] } }
  }
}
