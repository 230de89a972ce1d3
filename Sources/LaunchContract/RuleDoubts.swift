/// Rules that can be used and say less than they seem to.
extension RuleParser {
  /// Notes what is doubtful about one rule by itself.
  mutating func doubt(_ form: Rule.Form, _ scope: Rule.Scope?) {
    let column = parties.first?.token.column ?? 1
    switch form {
    case .concurrency(let side, _) where side.isPoint, .separation(let side, _) where side.isPoint,
      .separation(_, let side) where side.isPoint:
      doubts.append(
        Mistake(
          column: column, message: "'\(side.label)' is a mark and takes no time, so this rule can never be broken"))
    default: break
    }
    switch scope {
    case .before(let side) where side.name == Names.launchBegin:
      doubts.append(
        Mistake(column: column, message: "nothing lies before launch.begin, so this rule is never exercised"))
    case .after(let side) where side.name == Names.launchEnd,
      .afterUntil(let side, _) where side.name == Names.launchEnd,
      .between(let side, _) where side.name == Names.launchEnd:
      doubts.append(Mistake(column: column, message: "nothing lies after launch.end, so this rule is never exercised"))
    default: break
    }
  }
}
