import Foundation
import LaunchJSON
import TestSupport
import Testing

/// The same texts through Python's parser: what one takes the other takes, and both read the same.
struct PythonComparisonTests {
  @Test(.enabled(if: python != nil, "python3 is not installed"))
  func `Python accepts the same texts and reads the same values`() throws {
    var generator = SeededGenerator(seed: 5)
    var texts = JSONRobustnessTests.texts.map { Array($0.utf8) }
    for _ in 0..<1_500 {
      let bytes = JSON.random(depth: 3, using: &generator).serialized
      texts += [bytes, bytes.mutated(using: &generator)]
    }
    let answers = try Self.askPython(texts)
    try #require(answers.count == texts.count)
    var acceptedCount = 0
    for (text, answer) in zip(texts, answers) {
      let value = try? JSON(parsing: text)
      let comment = Comment(rawValue: String(decoding: text, as: UTF8.self))
      #expect((value == nil) == answer.isNull, comment)
      guard let value else { continue }
      #expect(value.asPythonReportsIt.isEquivalent(to: answer), comment)
      acceptedCount += 1
    }
    #expect(acceptedCount > 1_500)
    #expect(acceptedCount < texts.count)
  }

  /// One line per text: null when refused, else a list of one value, with objects as `{"object":[[key, value]…]}` to keep
  /// order and duplicates, and floats as `{"float":TEXT}`. A lone surrogate, which Python takes, cannot be encoded.
  private static let script = """
    import json, sys
    def refuse(name): raise ValueError(name)
    for line in sys.stdin:
        try:
            value = json.loads(bytes.fromhex(line).decode('utf-8'), parse_constant=refuse,
                parse_float=lambda text: {'float': text}, object_pairs_hook=lambda pairs: {'object': pairs})
            json.dumps(value, ensure_ascii=False).encode('utf-8')
            print(json.dumps([value]))
        except ValueError:
            print('null')
    """

  private static func askPython(_ texts: [[UInt8]]) throws -> [JSON] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("launchjson-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let input = folder.appendingPathComponent("input")
    let output = folder.appendingPathComponent("output")
    let lines = texts.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: input)
    try Data().write(to: output)

    let process = Process()
    process.executableURL = python
    process.arguments = ["-c", script]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return try String(decoding: Data(contentsOf: output), as: UTF8.self).split(separator: "\n").map {
      try JSON(parsing: String($0))
    }
  }

  private static let python: URL? = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
    .map { URL(fileURLWithPath: $0) }
}

extension JSON {
  fileprivate var asPythonReportsIt: JSON { [pythonValue] }

  private var pythonValue: JSON {
    switch self {
    case .number(let text) where text.contains { ".eE".contains($0) }: ["float": .string(text)]
    case .array(let elements): .array(elements.map(\.pythonValue))
    case .object(let object): ["object": .array(object.members.map { [.string($0.key), $0.value.pythonValue] })]
    default: self
    }
  }
}
