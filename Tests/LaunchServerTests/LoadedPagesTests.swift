#if os(Linux)
  import Foundation
  import LaunchServer
  import Testing

  struct LoadedPagesTests {
    @Test func `the pages that loading touched are given back, and the program goes on`() throws {
      let before = try residentFilePages()
      giveBackLoadedPages()
      #expect(try residentFilePages() < before)
    }

    /// The third number of `statm` (proc(5)).
    private func residentFilePages() throws -> Int {
      let numbers = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
      return try #require(Int(numbers[2]))
    }
  }
#endif
