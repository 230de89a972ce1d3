import LaunchClients
import LaunchDeck
import LaunchXCTest
import XCTest

/// The README's test, word for word.
final class LaunchOrderTests: XCTestCase {
  func testLaunchOrder() throws {
    let deck = try Deck(cassette: "first-launch")
    let trace = try deck.simulate { launch in
      launch.mark("cold start")
      try await AppLaunch(transport: launch.transport).run()
    }
    XCTAssertContract("launch", holdsOn: trace)
  }
}
