public import LaunchHTTP
public import LaunchJSON

/// What the stand-ins were asked, newest last, for whoever looks at them from outside.
///
/// ```swift
/// var received = ReceivedRequests()
/// received.add(request, answer, at: uptime)
/// print(received.json.text)
/// ```
public struct ReceivedRequests: Sendable {
  /// Older ones are forgotten.
  public static let limit = 10_000

  private var entries: [JSON] = []
  private var count = 0

  public init() {}

  /// - Parameter moment: Since the stand-ins were started.
  public mutating func add(_ request: Request, _ answer: Answer, at moment: Duration) {
    count += 1
    var entry: JSONObject = [
      "number": .integer(Int64(count)), "at": .integer(Int64((moment / .microseconds(1)).rounded())),
      "call": .string(VendorSandbox.call(of: request).name), "method": .string(request.method),
      "url": .string("\(request.location)"),
      "headers": .array(request.fields.map { [.string($0.name), .string($0.value)] }),
    ]
    let body = Array(request.body.bytes)
    if !body.isEmpty {
      if let json = try? JSON(parsing: body) {
        entry["json"] = json
      } else {
        entry["text"] = .string(String(decoding: body, as: UTF8.self))
      }
    }
    entry["answer"] = Self.outcome(of: answer)
    entries.append(.object(entry))
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
  }

  /// `{"requests":[…]}`, in the order in which they came; `at` is microseconds.
  public var json: JSON { ["requests": .array(entries)] }

  private static func outcome(of answer: Answer) -> JSON {
    for part in answer.parts {
      switch part.part {
      case .head(let head): return .integer(Int64(head.status))
      case .fault(let fault): return .string("\(fault)")
      default: continue
      }
    }
    return .string("nothing")
  }
}
