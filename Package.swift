// swift-tools-version: 6.2
import Foundation
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .strictMemorySafety(),
]

func portable(_ name: String, _ dependencies: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [String]) -> Target {
  .testTarget(name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: settings)
}

let targets: [Target] = [
  // Layer 0, portable
  portable("LaunchJSON"),
  portable("LaunchHTTP"),
  portable("LaunchTrace", ["LaunchJSON", "LaunchHTTP"]),
  portable("LaunchFile"),
  .target(name: "CSimulation"),
  portable("LaunchSimulation", ["CSimulation"]),
  // Layer 0, host
  .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
  .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
  .target(name: "CPlatform"),
  portable("LaunchCodings", ["CZlib"]),
  // Layer 1
  portable("LaunchCassette", ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile"]),
  portable("LaunchContract", ["LaunchJSON", "LaunchHTTP", "LaunchTrace"]),
  portable("LaunchClients", ["LaunchJSON", "LaunchHTTP", "LaunchTrace"]),
  portable("LaunchSandbox", ["LaunchJSON", "LaunchHTTP"]),
  portable("LaunchCurl", ["LaunchHTTP", "LaunchCodings", "CCurl"]),
  portable("LaunchServer", ["LaunchHTTP", "CPlatform"]),
  // Layer 2
  portable("LaunchDeck", ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchCassette", "LaunchSimulation"]),
  portable("LaunchReport", ["LaunchJSON", "LaunchTrace", "LaunchHTTP", "LaunchContract", "LaunchFile"]),
  // Layer 4
  portable("LaunchXCTest", ["LaunchTrace", "LaunchContract", "LaunchReport", "LaunchFile"]),
  portable("LaunchTesting", ["LaunchTrace", "LaunchContract", "LaunchReport", "LaunchFile"]),
  // Layer 5
  .executableTarget(
    name: "launchtape",
    dependencies: [
      "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchSimulation", "LaunchCassette", "LaunchContract", "LaunchClients",
      "LaunchSandbox", "LaunchCurl", "LaunchServer", "LaunchDeck", "LaunchReport",
    ], swiftSettings: settings),
  // Tests
  tests("LaunchJSONTests", ["LaunchJSON"]),
  tests("LaunchHTTPTests", ["LaunchHTTP"]),
  tests("LaunchSimulationTests", ["LaunchSimulation"]),
  tests("LaunchFileTests", ["LaunchFile"]),
  tests("LaunchCassetteTests", ["LaunchCassette", "LaunchTrace", "LaunchHTTP", "LaunchJSON", "LaunchFile"]),
  tests("LaunchDeckTests", ["LaunchDeck", "LaunchCassette", "LaunchTrace", "LaunchHTTP", "LaunchJSON", "LaunchFile", "LaunchSimulation"]),
  tests("LaunchContractTests", ["LaunchContract", "LaunchTrace", "LaunchHTTP", "LaunchJSON"]),
  tests("LaunchReportTests", ["LaunchReport", "LaunchContract", "LaunchTrace", "LaunchHTTP", "LaunchJSON"]),
  tests("LaunchAssertionTests", ["LaunchXCTest", "LaunchTesting", "LaunchContract", "LaunchTrace", "LaunchHTTP"]),
  tests(
    "LaunchClientsTests",
    ["LaunchClients", "LaunchSandbox", "LaunchTrace", "LaunchHTTP", "LaunchJSON", "LaunchSimulation"]),
  tests(
    "LaunchSandboxTests",
    ["LaunchSandbox", "LaunchClients", "LaunchTrace", "LaunchHTTP", "LaunchJSON", "LaunchSimulation"]),
  tests("LaunchCodingsTests", ["LaunchCodings"]),
  tests("LaunchCurlTests", ["LaunchCurl", "LaunchHTTP", "LaunchServer", "LaunchDeck", "LaunchCassette", "LaunchTrace"]),
  tests("LaunchServerTests", ["LaunchServer", "LaunchHTTP"]),
  tests("EndToEndTests", ["launchtape", "LaunchTrace", "LaunchCassette"]),
  tests("ExampleTests", ["LaunchClients", "LaunchDeck", "LaunchXCTest"]),
]

let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
let present = targets.filter { target in
  let folder = target.type == .test ? "Tests" : "Sources"
  return FileManager.default.fileExists(atPath: "\(root)/\(folder)/\(target.name)")
}
let names = Set(present.map(\.name))
for target in present {
  target.dependencies = target.dependencies.filter { dependency in
    if case .byNameItem(let name, _) = dependency { return names.contains(name) }
    return true
  }
}

let package = Package(
  name: "launchtape",
  platforms: [.macOS(.v15), .iOS(.v18)],
  targets: present
)
