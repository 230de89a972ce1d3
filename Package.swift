// swift-tools-version: 6.2
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

func library(_ name: String) -> Product { .library(name: name, targets: [name]) }

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func executable(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "launchtape",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    library("LaunchJSON"),
    library("LaunchHTTP"),
    library("LaunchTrace"),
    library("LaunchSimulation"),
    library("LaunchCassette"),
    library("LaunchContract"),
    library("LaunchClients"),
    library("LaunchSandbox"),
    library("LaunchCurl"),
    library("LaunchServer"),
    library("LaunchDeck"),
    library("LaunchReport"),
    library("LaunchProxy"),
    library("LaunchXCTest"),
    library("LaunchTesting"),
    .executable(name: "launchtape", targets: ["launchtape"]),
  ],
  targets: [
    // Layers as in .ci/imports, which CI holds every import to.
    target("LaunchJSON"),
    target("LaunchHTTP"),
    target("LaunchTrace", ["LaunchJSON", "LaunchHTTP"]),
    target("LaunchFile"),
    .target(name: "CSimulation"),
    target("LaunchSimulation", ["CSimulation"]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(name: "CPlatform"),
    target("LaunchCodings", ["CZlib", "CBrotli", "CZstd"]),

    target("LaunchCassette", ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile"]),
    target("LaunchContract", ["LaunchJSON", "LaunchHTTP", "LaunchTrace"]),
    target("LaunchClients", ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile"]),
    target("LaunchSandbox", ["LaunchJSON", "LaunchHTTP"]),
    target("LaunchCurl", ["LaunchHTTP", "LaunchCodings", "CCurl", "CPlatform"]),
    target("LaunchServer", ["LaunchHTTP", "CPlatform"]),

    target(
      "LaunchDeck", ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchSimulation", "LaunchCassette"]),
    target("LaunchReport", ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchContract"]),

    target(
      "LaunchProxy",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchCassette", "LaunchContract", "LaunchServer", "LaunchDeck",
      ]),

    target("LaunchXCTest", ["LaunchTrace", "LaunchReport"]),
    target("LaunchTesting", ["LaunchTrace", "LaunchReport"]),

    executable(
      "launchtape",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchSimulation", "LaunchCodings", "LaunchCassette",
        "LaunchContract", "LaunchClients", "LaunchSandbox", "LaunchCurl", "LaunchServer", "LaunchDeck", "LaunchReport",
        "LaunchProxy",
      ]),
    executable(
      "LaunchBench",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "CPlatform", "LaunchCodings", "LaunchCassette",
        "LaunchContract", "LaunchClients", "LaunchDeck", "LaunchProxy",
      ]),

    .target(name: "TestSupport", dependencies: ["LaunchFile"], path: "Tests/TestSupport", swiftSettings: settings),
    tests("LaunchJSONTests", ["LaunchJSON", "TestSupport"]),
    tests("LaunchHTTPTests", ["LaunchHTTP", "TestSupport"]),
    tests("LaunchTraceTests", ["LaunchTrace"]),
    tests("LaunchFileTests", ["LaunchFile", "TestSupport"]),
    tests("LaunchSimulationTests", ["LaunchSimulation"]),
    tests("LaunchCodingsTests", ["LaunchHTTP", "LaunchCodings", "TestSupport"]),
    tests(
      "LaunchCassetteTests", ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchCassette", "TestSupport"]),
    tests(
      "LaunchContractTests",
      ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchContract", "LaunchReport", "TestSupport"]),
    tests(
      "LaunchClientsTests",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchSimulation", "LaunchContract", "LaunchClients",
        "LaunchSandbox", "TestSupport",
      ]),
    tests(
      "LaunchSandboxTests",
      ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchSimulation", "LaunchClients", "LaunchSandbox", "TestSupport"]),
    tests(
      "LaunchCurlTests",
      ["LaunchHTTP", "LaunchTrace", "LaunchCassette", "LaunchCurl", "LaunchServer", "LaunchDeck", "TestSupport"]),
    tests("LaunchServerTests", ["LaunchHTTP", "LaunchServer"]),
    tests(
      "LaunchDeckTests",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchSimulation", "LaunchCassette", "LaunchDeck",
        "TestSupport",
      ]),
    tests(
      "LaunchProxyTests",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchCassette", "LaunchContract", "LaunchCurl", "LaunchServer",
        "LaunchDeck", "LaunchProxy",
      ]),
    tests("LaunchReportTests", ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchContract", "LaunchReport"]),
    tests("LaunchAssertionTests", ["LaunchTrace", "LaunchXCTest", "LaunchTesting"]),
    tests(
      "ExampleTests",
      ["LaunchHTTP", "LaunchTrace", "LaunchClients", "LaunchCurl", "LaunchServer", "LaunchDeck", "LaunchXCTest"]),
    tests("EndToEndTests", ["launchtape", "LaunchHTTP", "LaunchTrace", "LaunchCassette"]),
    .executableTarget(
      name: "ClickProbe", dependencies: ["LaunchJSON", "LaunchClients", "LaunchCurl"], path: "Tests/ClickProbe",
      swiftSettings: settings),
    tests(
      "ClickDeathTests",
      [
        "ClickProbe", "LaunchJSON", "LaunchHTTP", "LaunchFile", "LaunchClients", "LaunchSandbox", "LaunchServer",
        "TestSupport",
      ]),
  ]
)
