import LaunchJSON
import LaunchTrace

/// `trace` as a recording that ended in order, with its pseudonyms.
func closed(_ trace: Trace, redacted: JSONObject = [:]) -> Trace {
  var trace = trace
  trace.events.append(Event(at: trace.end, .closed(Closing(events: trace.events.count, redacted: redacted))))
  return trace
}
