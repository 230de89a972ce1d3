import Testing

@testable import LaunchServer

struct AlertnessTests {
  private func at(_ microseconds: Int64) -> Moment { Moment(nanoseconds: microseconds * 1000) }

  @Test func `a thread spins twice as long as its latest wake-up took, within limits`() {
    let cases: [(lateMicroseconds: Int64, spinMicroseconds: Int64)] = [(0, 193), (30, 193), (110, 220), (5000, 400)]
    for (late, spin) in cases {
      var alertness = Alertness()
      alertness.woke(at: at(1000 + late), due: at(1000))
      #expect(alertness.spin / 1000 == spin)
    }
  }

  @Test func `a late wake-up is forgotten by and by`() {
    var alertness = Alertness()
    alertness.woke(at: at(1200), due: at(1000))
    for _ in 0..<100 { alertness.woke(at: at(1020), due: at(1000)) }
    #expect(alertness.spin == 100_000)
  }

  @Test func `a sleep that a letter ended tells nothing`() {
    var alertness = Alertness()
    alertness.woke(at: at(10), due: at(1000))
    #expect(alertness.spin == 200_000)
  }
}
