import LaunchTesting
import Testing

struct ExpectContractTests {
  @Test func `a contract that holds passes`() {
    expectContract("order", holdsOn: Fixtures.kept)
  }

  @Test func `a broken contract is an issue at the caller's line, with the whole story`() {
    let line = #line + 2
    withKnownIssue {
      expectContract("order", holdsOn: Fixtures.broken)
    } matching: { issue in
      let text = "\(issue.comments)"
      return issue.sourceLocation?.line == line && issue.sourceLocation?.filePath == #filePath
        && ["[R10] adjust only after att", "comes 1 ms too late", "3 rules: 1 holds, 1 broken, 1 optional idle"]
          .allSatisfy(
            text.contains)
    }
  }

  @Test func `an order that breaks is an issue at the caller's line, explained`() {
    expectContract("order", holdsOnEveryOrderOf: "two-answers", launch: Fixtures.careful)
    let line = #line + 2
    withKnownIssue {
      expectContract("order", holdsOnEveryOrderOf: "two-answers", launch: Fixtures.careless)
    } matching: { issue in
      issue.sourceLocation?.line == line && issue.sourceLocation?.filePath == #filePath
        && "\(issue.comments)".contains(Fixtures.explanation)
    }
  }

  @Test(arguments: [("absent", "absent.contract"), ("unreadable", "did you mean 'home'?")])
  func `a contract that is missing or wrong is an issue at the caller's line`(name: String, message: String) {
    let line = #line + 2
    withKnownIssue {
      expectContract(name, holdsOn: Fixtures.kept)
    } matching: { issue in
      issue.sourceLocation?.line == line && "\(issue.comments)".contains(message)
    }
  }

  @Test func `an idle rule is a warning, not a failure`() {
    withKnownIssue {
      expectContract("order", holdsOn: Fixtures.idle)
    } matching: { issue in
      issue.severity == .warning && "\(issue.comments)".contains("IDLE  adjust only after att: adjust never came")
    }
  }

  @Test(arguments: ["../contracts/order.contract", "order.contract"])
  func `a path is taken as such`(path: String) {
    expectContract(path, holdsOn: Fixtures.kept)
  }
}
