import LaunchHTTP
import LaunchTrace

/// Checks, event by event, that a trace tells something that can have happened.
///
/// Errors are what leaves no way to replay the trace: a time before the one above, a second request, a step of a call
/// without a request, after its end or content without a response, anything after the closing event. Steps may be
/// missing: an edited recording needs no `connection`, `sent` or `chunk`. What an edit easily leaves behind, or an
/// unusual transport does, is a warning.
struct EventOrder {
  enum Finding: Hashable {
    case error(String)
    case warning(String)
  }

  /// The steps in the order of a complete exchange.
  fileprivate enum Stage: UInt8 {
    case request, connection, sent, informational, response, chunk, end

    var mayRepeat: Bool { self == .informational || self == .chunk }
  }

  fileprivate struct Call {
    // First, so that the small ones behind it fill one word.
    var contentBytes = 0
    var stage = Stage.request
    var hasResponse = false
    /// A first error was told; those that follow from it are not.
    var isBroken = false
  }

  private var last = Instant.zero
  private var count = 0
  private var calls = NumberedCalls()
  private(set) var isClosed = false
  private var isPastEnd = false

  /// Lets go of the calls at the beginning that have ended, so that a long trace costs no more than its open calls.
  mutating func forgetEnded() { calls.forgetEnded() }

  mutating func findings(on event: Event) -> [Finding] {
    defer { count += 1 }
    if isClosed {
      defer { isPastEnd = true }
      return isPastEnd ? [] : [.error("nothing can follow the closing line")]
    }
    let time = event.at < last ? disorder(of: event.at) : nil
    // Compared with its neighbour alone, so that one edited time is told of once.
    last = event.at
    let step = finding(on: event.kind)
    let withheld = event.withholding.map(Finding.warning)
    return time == nil && step == nil && withheld == nil ? [] : [time, step, withheld].compactMap(\.self)
  }

  private func disorder(of time: Instant) -> Finding {
    let times = "the time \(time.microseconds) lies before \(last.microseconds)"
    return .error("\(times), the time of the event above; one of the two is wrong")
  }

  private mutating func finding(on kind: Event.Kind) -> Finding? {
    switch kind {
    case .launch, .mark: return nil
    case .call(let number, let step): return finding(on: step, of: number)
    case .closed(let closing):
      isClosed = true
      guard closing.events != count else { return nil }
      return .warning("the closing line counts \(closing.events) events, there are \(count)")
    }
  }

  private mutating func finding(on step: Event.Step, of number: Int) -> Finding? {
    guard var call = calls[number] else { return begin(number, with: step) }
    guard !call.isBroken else { return nil }
    defer { calls[number] = call }
    let next = stage(of: step)
    if let problem = problem(with: step, at: next, in: call) {
      call.isBroken = true
      return .error("call \(number) \(problem)")
    }
    guard next.rawValue > call.stage.rawValue || next == call.stage && next.mayRepeat else {
      return .warning("call \(number) has \"\(step.name)\" after \"\(call.stage)\"")
    }
    call.stage = next
    switch step {
    case .response: call.hasResponse = true
    case .chunk(let bytes):
      let (sum, overflow) = call.contentBytes.addingReportingOverflow(bytes)
      call.contentBytes = overflow ? .max : sum
    case .end(let content), .error(_, let content):
      // Without any chunk, the content comes with the end. Chunks of a raw body may have been decoded before that failed.
      guard !content.isMissing, !content.isRaw, call.contentBytes > 0, content.body.count != call.contentBytes else {
        break
      }
      return .warning(
        "the body of call \(number) has \(content.body.count) bytes, its chunks say \(call.contentBytes)")
    default: break
    }
    return nil
  }

  private mutating func begin(_ number: Int, with step: Event.Step) -> Finding? {
    guard case .request(_, let origin) = step else {
      calls[number] = Call(isBroken: true)
      return .error("call \(number) has no request above its \"\(step.name)\"")
    }
    calls[number] = Call()
    guard let origin, calls[origin] == nil || origin == number else { return nil }
    return .warning("call \(number) follows a redirect of call \(origin), which is not above")
  }

  private func problem(with step: Event.Step, at next: Stage, in call: Call) -> String? {
    if next == .request { return "has a request already" }
    if call.stage == .end { return "has ended already" }
    switch step {
    case .response where call.hasResponse: return "has a response already"
    case .chunk where !call.hasResponse, .end where !call.hasResponse:
      return "has no response above its \"\(step.name)\""
    default: return nil
    }
  }

  private func stage(of step: Event.Step) -> Stage {
    switch step {
    case .request: .request
    case .connection: .connection
    case .sent: .sent
    case .informational: .informational
    case .response: .response
    case .chunk: .chunk
    case .end, .error: .end
    }
  }
}

/// Calls by their numbers, which nearly always count from 1 in order.
private struct NumberedCalls {
  /// How many calls from 1 on have ended and are not kept.
  private var forgotten = 0
  private var counted: [EventOrder.Call] = []
  private var others: [Int: EventOrder.Call] = [:]

  subscript(number: Int) -> EventOrder.Call? {
    get {
      if number > forgotten, number - forgotten <= counted.count { return counted[number - forgotten - 1] }
      return number >= 1 && number <= forgotten ? EventOrder.Call(stage: .end, hasResponse: true) : others[number]
    }
    set {
      guard let newValue else { return }
      if number > forgotten, number - forgotten <= counted.count {
        counted[number - forgotten - 1] = newValue
      } else if number == forgotten + counted.count + 1, others[number] == nil {
        counted.append(newValue)
      } else if number < 1 || number > forgotten {
        others[number] = newValue
      }
    }
  }

  mutating func forgetEnded() {
    let ended = counted.prefix { $0.stage == .end }.count
    counted.removeFirst(ended)
    forgotten += ended
  }
}
