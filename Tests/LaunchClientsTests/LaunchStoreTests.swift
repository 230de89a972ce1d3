import Foundation
import LaunchClients
import LaunchFile
import LaunchJSON
import TestSupport
import Testing

@Suite struct LaunchStoreTests {
  @Test func `what was set is there in the next launch, in the order of the first setting`() throws {
    let folder = try createUniqueFolder(prefix: "store-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let store = try LaunchStore(folder: folder)
      store.set("queue.2", "b")
      store.set("queue.1", "a")
      store.set("other", ["x": 1])
      store.set("queue.2", "c")
      store.set("other", nil)
    }
    let store = try LaunchStore(folder: folder)
    #expect(store.entries(under: "queue.").map(\.key) == ["queue.2", "queue.1"])
    #expect(store["queue.2"] == "c")
    #expect(store["other"] == nil)
    #expect(store.failure == nil)
  }

  @Test func `null is a value`() {
    let store = LaunchStore()
    store.set("a", .null)
    #expect(store["a"] == .null)
  }

  @Test func `a file cut at any byte is a store with whole changes`() throws {
    let folder = try createUniqueFolder(prefix: "store-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = joinPath(folder, "launch-state.part")
    let lines = ["{\"key\":\"a\",\"value\":1}\n", "{\"key\":\"b\",\"value\":\"é\"}\n", "{\"key\":\"a\"}\n"]
    let whole = Array(lines.joined().utf8)
    for count in 0...whole.count {
      try writeFile(Array(whole[..<count]), to: path)
      let store = try LaunchStore(folder: folder)
      #expect((store["a"] != nil) == (count >= lines[0].utf8.count && count < whole.count), "\(count)")
      #expect((store["b"] != nil) == (count >= lines[0].utf8.count + lines[1].utf8.count), "\(count)")
    }
  }

  @Test func `a damaged line is one clear error`() throws {
    let folder = try createUniqueFolder(prefix: "store-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = joinPath(folder, "launch-state.part")
    try writeFile(Array("{\"key\":\"a\",\"value\":1}\nhello\n".utf8), to: path)
    #expect {
      _ = try LaunchStore(folder: folder)
    } throws: {
      "\($0)"
        == "cannot read \(path): line 2 is no change of a key; without the file the next launch is a first one"
    }
  }

  @Test func `a full disk is told, and the process goes on with what it set`() throws {
    let folder = try createUniqueFolder(prefix: "store-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let quiet = FaultySystem()
    _ = try LaunchStore(folder: folder, calls: quiet.calls)
    let store = try LaunchStore(folder: folder, calls: FaultySystem(.fails(28), at: quiet.count + 1).calls)
    store.set("a", 1)
    #expect(store["a"] == 1)
    #expect(store.failure?.code == 28)
  }

  @Test func `a store is open once`() throws {
    let folder = try createUniqueFolder(prefix: "store-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = try LaunchStore(folder: folder)
    #expect(throws: FileError.self) { _ = try LaunchStore(folder: folder) }
    first.set("a", 1)
  }
}
