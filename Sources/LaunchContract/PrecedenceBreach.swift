import LaunchTrace

/// A trigger that had no requirement before it, and what there was instead (rules 1 to 3).
struct PrecedenceBreach: Sendable {
  let side: Side
  let requirement: Side
  var trigger: Occurrence
  /// The requirement nearest to it that was over before and did not count.
  var unfit: Occurrence?
  /// A requirement that was open at the trigger's instant, as it went on.
  var overlapping: Occurrence?
  /// The first requirement that came after all, too late.
  var later: Occurrence?

  /// Keeps what there was up to date.
  mutating func follow(_ occurrence: Occurrence) {
    if trigger.id == occurrence.id { trigger = occurrence }
    guard occurrence.name == requirement.name else { return }
    if overlapping?.id == occurrence.id { overlapping = occurrence }
    if later == nil, requirement.isSettled(occurrence), requirement.counts(occurrence) { later = occurrence }
  }

  /// The verdict with the events around the trigger; `demand` is what it lacks.
  func judgement(_ verdict: Verdict, demand: String) -> Judgement {
    var judgement = Judgement(verdict)
    guard let point = side.point(trigger) else { return judgement }
    judgement.witness = [WitnessEvent(trigger, side.moment, side.label, remark: "<- needs \(demand) before it")]
    if let unfit {
      let moment: Side.Moment = unfit.end == nil ? .start : .end
      judgement.witness.append(
        WitnessEvent(unfit, moment, requirement.label, remark: "is not ok, so it does not count"))
      judgement.nearMiss = "\(requirement.label) came before, \(unfit.fate)"
    }
    if let overlapping {
      judgement.witness.append(WitnessEvent(overlapping, .start, requirement.label, remark: "is still open then"))
      judgement.nearMiss = "\(requirement.label) had started before and was still open (\(overlapping.fate))"
    }
    if let later, let laterPoint = requirement.point(later) {
      let lateness = laterPoint.microseconds(since: point)
      let distance = lateness == 0 ? "too late, at the same time" : "\(Span.text(lateness)) too late"
      judgement.witness.append(WitnessEvent(later, requirement.moment, requirement.label, remark: "comes \(distance)"))
      judgement.distance = distance
      if judgement.nearMiss == nil, trigger.isOpen(at: laterPoint) {
        judgement.nearMiss = "\(side.label) was still open when \(requirement.label) came (\(trigger.fate))"
      }
    }
    judgement.witness.sort { $0.position < $1.position }
    return judgement
  }
}
