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
    library("LaunchDiagnostics"),
    library("LaunchJSON"),
    library("LaunchHTTP"),
    library("LaunchTrace"),
    library("LaunchSimulation"),
    library("LaunchCassette"),
    library("LaunchContract"),
    library("LaunchClients"),
    library("LaunchSandbox"),
    library("LaunchPlist"),
    library("LaunchCurl"),
    library("LaunchServer"),
    library("LaunchDeck"),
    library("LaunchReport"),
    library("LaunchExplore"),
    library("LaunchProxy"),
    library("LaunchXCTest"),
    library("LaunchTesting"),
    .executable(name: "launchtape", targets: ["launchtape"]),
  ],
  targets: [
    // Layers as in .ci/imports, which CI holds every import to.
    target("LaunchDiagnostics"),
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

    target("LaunchCassette", ["LaunchDiagnostics", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile"]),
    target("LaunchContract", ["LaunchDiagnostics", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile"]),
    target("LaunchClients", ["LaunchDiagnostics", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile"]),
    target("LaunchSandbox", ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchDiagnostics"]),
    target("LaunchPlist"),
    target("LaunchCurl", ["LaunchHTTP", "LaunchCodings", "CCurl", "CPlatform"]),
    target("LaunchServer", ["LaunchHTTP", "CPlatform"]),

    target(
      "LaunchDeck", ["LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchSimulation", "LaunchCassette"]),
    target(
      "LaunchReport", ["LaunchDiagnostics", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchContract"]),

    target(
      "LaunchProxy",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchCassette", "LaunchContract", "LaunchServer", "LaunchDeck",
      ]),

    target(
      "LaunchExplore",
      [
        "LaunchDiagnostics", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchSimulation", "LaunchCassette",
        "LaunchContract", "LaunchClients", "LaunchSandbox", "LaunchDeck", "LaunchReport",
      ]),

    target("LaunchXCTest", ["LaunchHTTP", "LaunchTrace", "LaunchDeck", "LaunchReport", "LaunchExplore"]),
    target("LaunchTesting", ["LaunchHTTP", "LaunchTrace", "LaunchDeck", "LaunchReport", "LaunchExplore"]),

    executable(
      "launchtape",
      [
        "LaunchDiagnostics", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchSimulation",
        "LaunchCodings", "LaunchCassette", "LaunchContract", "LaunchClients", "LaunchSandbox", "LaunchPlist",
        "LaunchCurl", "LaunchServer", "LaunchDeck", "LaunchReport", "LaunchExplore", "LaunchProxy",
      ]),
    executable(
      "LaunchBench",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "CPlatform", "LaunchCodings", "LaunchCassette",
        "LaunchContract", "LaunchClients", "LaunchSandbox", "LaunchDeck", "LaunchExplore", "LaunchProxy",
      ]),

    .target(name: "TestSupport", dependencies: ["LaunchFile"], path: "Tests/TestSupport", swiftSettings: settings),
    tests("LaunchJSONTests", ["LaunchJSON", "TestSupport"]),
    tests("LaunchHTTPTests", ["LaunchHTTP", "TestSupport"]),
    tests("LaunchTraceTests", ["LaunchTrace"]),
    tests("LaunchFileTests", ["LaunchFile", "TestSupport"]),
    tests("LaunchSimulationTests", ["LaunchSimulation"]),
    tests("LaunchCodingsTests", ["LaunchHTTP", "LaunchCodings", "TestSupport"]),
    tests(
      "LaunchCassetteTests",
      [
        "LaunchDiagnostics", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchCassette", "TestSupport",
      ]),
    tests(
      "LaunchContractTests",
      [
        "LaunchDiagnostics", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchContract", "LaunchReport", "TestSupport",
      ]),
    tests(
      "LaunchClientsTests",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchSimulation", "LaunchContract", "LaunchClients",
        "LaunchSandbox", "TestSupport",
      ]),
    tests(
      "LaunchSandboxTests",
      [
        "LaunchDiagnostics", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchSimulation", "LaunchClients",
        "LaunchSandbox", "TestSupport",
      ]),
    tests("LaunchPlistTests", ["LaunchPlist", "TestSupport"]),
    tests(
      "LaunchCurlTests",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchCodings", "LaunchCassette", "LaunchCurl",
        "LaunchServer", "LaunchDeck", "TestSupport",
      ]),
    tests("LaunchServerTests", ["LaunchHTTP", "LaunchServer"]),
    tests(
      "LaunchDeckTests",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchFile", "LaunchSimulation", "LaunchCassette", "LaunchClients",
        "LaunchDeck", "TestSupport",
      ]),
    tests(
      "LaunchProxyTests",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchCassette", "LaunchContract", "LaunchCurl", "LaunchServer",
        "LaunchDeck", "LaunchProxy",
      ]),
    tests(
      "LaunchReportTests",
      ["LaunchDiagnostics", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchContract", "LaunchReport"]),
    tests(
      "LaunchExploreTests",
      [
        "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchSimulation", "LaunchCassette", "LaunchContract",
        "LaunchClients", "LaunchSandbox", "LaunchDeck", "LaunchExplore", "TestSupport",
      ]),
    tests(
      "LaunchAssertionTests",
      [
        "LaunchHTTP", "LaunchTrace", "LaunchCassette", "LaunchClients", "LaunchDeck", "LaunchExplore", "LaunchXCTest",
        "LaunchTesting",
      ]),
    tests(
      "ExampleTests",
      ["LaunchHTTP", "LaunchTrace", "LaunchClients", "LaunchCurl", "LaunchServer", "LaunchDeck", "LaunchXCTest"]),
    tests("EndToEndTests", ["launchtape", "LaunchJSON", "LaunchHTTP", "LaunchTrace", "LaunchCassette"]),
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
