import LaunchJSON
public import LaunchTrace

/// What the user saw of a launch, one line a change of the screen, as its marks tell.
///
/// ```swift
/// for line in LaunchStory(trace.events).lines { print(line) }
/// //   0.304 s  the splash appears
/// //   0.505 s  the tracking prompt appears, and is answered 7.000 s later: allowed
/// //  11.838 s  home appears, 11.534 s after the splash
/// ```
public struct LaunchStory: Hashable, Sendable {
  /// In order; what never came stands at the end. Empty for a trace without the marks of a launch.
  public private(set) var lines: [String] = []

  /// Reads the first launch of `events`.
  public init(_ events: [Event]) {
    let marks = events.compactMap { event -> (at: Instant, mark: Mark)? in
      if case .mark(let mark) = event.kind { (event.at, mark) } else { nil }
    }
    guard let splash = marks.first(where: { $0.mark.name == WaitingTimeEntry.splashLaunch.rawValue })?.at else {
      return
    }
    var seen: Set<String> = []
    for (index, entry) in marks.enumerated() {
      guard let text = Self.text(of: entry.mark, at: entry.at, splash, marks[(index + 1)...]) else { continue }
      seen.insert(entry.mark.name)
      lines.append("\(Self.seconds(entry.at - .zero)) s  \(text)")
    }
    if !seen.contains(WaitingTimeEntry.didDisplay.rawValue) { lines.append("           no message appears") }
    if !seen.contains("paywall shown") { lines.append("           no paywall appears") }
    if !seen.contains(WaitingTimeEntry.navigatedToHome.rawValue) { lines.append("           home never appears") }
  }

  /// Nil for a mark that changes nothing on the screen.
  private static func text(
    of mark: Mark, at moment: Instant, _ splash: Instant, _ later: ArraySlice<(at: Instant, mark: Mark)>
  ) -> String? {
    switch mark.name {
    case WaitingTimeEntry.splashLaunch.rawValue: return "the splash appears"
    case WaitingTimeEntry.didDisplay.rawValue: return "a message appears"
    case WaitingTimeEntry.navigatedToHome.rawValue:
      return "home appears, \(seconds(moment - splash, width: 0)) s after the splash"
    case "paywall shown": return "the \(mark.fields["source"]?.string ?? "") paywall is there"
    case "system prompt shown":
      let name = mark.fields["for"]?.string ?? "tracking"
      guard let closed = later.first(where: { $0.mark.name == "system prompt closed" }) else {
        return "the \(name) prompt appears, and nobody answers it"
      }
      let answer = name == "tracking" ? ": \(trackingAnswer(later))" : ""
      return "the \(name) prompt appears, and is answered \(seconds(closed.at - moment, width: 0)) s later\(answer)"
    default: return nil
    }
  }

  private static func trackingAnswer(_ later: ArraySlice<(at: Instant, mark: Mark)>) -> String {
    let answered = later.first { $0.mark.name == WaitingTimeEntry.attAnswered.rawValue }
    let status = answered?.mark.fields["status"]?.integer.flatMap { ATTStatus(rawValue: Int(clamping: $0)) }
    return switch status {
    case .authorized: "allowed"
    case .denied: "denied"
    case .restricted: "restricted"
    case .notDetermined, nil: "undecided"
    }
  }

  /// With three decimals, at least `width` characters.
  private static func seconds(_ duration: Duration, width: Int = 8) -> String {
    let milliseconds = duration.wholeMilliseconds
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    let text = "\(milliseconds / 1000).\(fraction)"
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
