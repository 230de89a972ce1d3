/// One verb of the command line: what it takes, and what it does.
protocol Verb {
  static var usage: Usage { get }
  /// - Throws: `Failure`, or an error of the part that failed; both end the process with exit code 2.
  @MainActor static func run(_ arguments: Arguments) async throws -> ExitCode
}
