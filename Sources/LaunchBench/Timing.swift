/// The shortest of several rounds, which is the one that other work on the machine disturbed least.
func best<Failure: Error>(of rounds: Int = 7, _ work: () throws(Failure) -> Void) throws(Failure) -> Duration {
  var best = Duration.seconds(3600)
  for _ in 0..<rounds {
    let start = ContinuousClock.now
    try work()
    best = min(best, ContinuousClock.now - start)
  }
  return best
}

extension Duration {
  var seconds: Double { self / .seconds(1) }
}
