/// One verb of the command line: what it takes, and what it does.
struct Verb {
  let usage: Usage
  /// Throws `Failure`, or the error of a part that failed; both end the process with exit code 2.
  let run: @MainActor (Arguments) async throws -> ExitCode

  @MainActor static var all: [Verb] {
    [
      Verb(usage: DemoVerb.usage, run: DemoVerb.run),
      Verb(usage: RecordVerb.usage, run: RecordVerb.run),
      Verb(usage: ReplayVerb.usage, run: ReplayVerb.run),
      Verb(usage: VerifyVerb.usage, run: VerifyVerb.run),
      Verb(usage: ExploreVerb.usage, run: ExploreVerb.run),
      Verb(usage: LintVerb.usage, run: LintVerb.run),
      Verb(usage: ShowVerb.usage, run: ShowVerb.run),
      Verb(usage: ConvertVerb.usage, run: ConvertVerb.run),
      Verb(usage: RedactVerb.usage, run: RedactVerb.run),
      Verb(usage: SandboxVerb.usage, run: SandboxVerb.run),
    ]
  }
}
