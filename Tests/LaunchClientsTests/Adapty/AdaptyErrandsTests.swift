import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

@testable import LaunchClients

/// Products, address and install registration: vendors.md 2.3, 3, and 2.5.
@Suite struct AdaptyErrandsTests {
  @Test func `products are tried every 2 s until they are there`() throws {
    for (failure, times) in [
      (nil, [100, 2150, 4200, 6250]), (Answer(.null, status: 404), [100, 2200, 4300, 6400]),
      (Answer(["data": 7]), [100, 2200, 4300, 6400]),
    ] {
      var world = AdaptyWorld()
      world.script.cut(.products)
      if let failure { world.script[.products] = [failure] }
      world.script[.products] = Array(repeating: world.script[.products][0], count: 3) + [Answer(["data": []])]
      let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(30)) }
      #expect(observed.calls(.products).map(\.at) == times.milliseconds)
    }
  }

  @Test func `products wait for no profile and have no last try`() throws {
    var world = AdaptyWorld()
    world.script.cut(.products, .createProfile)
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(600)) }
    #expect(observed.calls(.products).map(\.at) == (0..<294).map { .milliseconds(100 + 2050 * $0) })
  }

  private var lookingUp: AdaptyWorld {
    var world = AdaptyWorld()
    world.configuration.collectsAddress = true
    return world
  }

  @Test func `the address is looked up after 1, 2, 3 and at most 10 s, with no last try`() throws {
    var world = lookingUp
    world.script.cut(.ipLookup)
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(100)) }
    var expected: [Duration] = [.zero]
    for pause in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10, 10] {
      expected.append((expected.last ?? .zero) + .seconds(pause) + .milliseconds(50))
    }
    #expect(observed.calls(.ipLookup).map(\.at) == expected)
    #expect(observed.calls(.updateProfile).isEmpty)
  }

  @Test func `the address waits for the profile, and is part of what is said about the device from then on`() throws {
    var world = lookingUp
    world.script[.createProfile].insert(Answer(.null, status: 500), at: 0)
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(1)) }
    #expect(observed.calls(.createProfile).map { $0.attributes?["ip_v4_address"] } == [nil, "203.0.113.7"])
    #expect(observed.calls(.updateProfile).map(\.at) == [400].milliseconds)
    #expect(observed.calls(.updateProfile).map(\.attributes) == [["ip_v4_address": "203.0.113.7"]])
  }

  /// Only a failing network is worth another try.
  static let final: [Answer] = [
    Answer(["ip": ""]), Answer("x"), Answer(.null, status: 500),
    Answer(parts: [.init(at: .zero, .fault(.error(TransportError(.tls, during: .tls))))]),
  ]

  @Test(arguments: final) func `an answer without an address is the last`(answer: Answer) throws {
    var world = lookingUp
    world.script[.ipLookup] = [answer]
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(30)) }
    #expect(observed.calls(.ipLookup).count == 1)
    #expect(observed.calls(.updateProfile).isEmpty)
  }

  private var registering: AdaptyWorld {
    var world = AdaptyWorld()
    world.configuration.registersInstall = true
    return world
  }

  @Test func `the installation is registered when the app wants it, once`() throws {
    #expect(try AdaptyWorld().run().calls(.install).isEmpty)
    let world = registering
    let observed = try world.run()
    #expect(observed.calls(.install).map(\.at) == [0].milliseconds)
    #expect(world.store["adapty.install"] == ["install_id": "i", "payload": "{}"])
    #expect(try world.run().calls(.install).isEmpty)
  }

  /// Full jitter: each wait is between nothing and 2, 4, 8 … at most 30 s, but half a second at least.
  @Test func `registering is tried again ten times, with full jitter`() throws {
    var world = registering
    world.device.chanceSeed = 7
    world.script.cut(.install)
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(400)) }
    var chance = Chance(seed: 7)
    var expected: [Duration] = [.zero]
    for limit in [2, 4, 8, 16, 30, 30, 30, 30, 30, 30] {
      let wait = max(.milliseconds(500), .seconds(limit) * Double.random(in: 0...1, using: &chance))
      expected.append((expected.last ?? .zero) + .milliseconds(50) + wait)
    }
    #expect(observed.calls(.install).map(\.at) == expected.map { .microseconds($0.wholeMicroseconds) })
    #expect(expected.last.map { $0 < .seconds(250) } == true)
  }

  /// How many times the registration is on the wire after this answer.
  static let tries: [(Answer, Int)] =
    [500, 599, 499, 302].map { (Answer(.null, status: $0), 11) } + [
      (Answer("x"), 11), (Answer(.null, status: 429), 11),
    ]
    + [400, 404, 401, 444].map { (Answer(.null, status: $0), 1) }
    + [(Answer(.null, status: 429, fields: ["retry-after": "1000"]), 1)]
    + [.dns, .refused, .connect, .reset, .truncated].map { (failing($0), 11) }
    + [.timeout, .tls, .protocol].map { (failing($0), 1) }

  @Test(arguments: tries) func `some failures are worth another try`(answer: Answer, count: Int) throws {
    var world = registering
    world.isUsed = false
    world.script[.install] = [answer]
    #expect(try world.run().calls(.install).count == count)
  }

  @Test func `another opening of the app tries again what has failed`() throws {
    var world = registering
    world.script[.install] = [Answer(.null, status: 404), Answer([:])]
    let observed = try world.run { _, phone in
      try await Task.sleep(for: .seconds(5))
      try await phone.becomeActive()
    }
    #expect(observed.calls(.install).map(\.at) == [0, 5000].milliseconds)
    #expect(world.store["adapty.install"] == [:])
  }

  private static func failing(_ reason: TransportError.Reason) -> Answer {
    Answer(parts: [.init(at: .zero, .fault(.error(TransportError(reason, during: .connect))))])
  }
}
