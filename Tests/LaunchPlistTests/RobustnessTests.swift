import LaunchPlist
import TestSupport
import Testing

/// Any bytes are read or refused; none trap.
@Suite struct RobustnessTests {
  private static let text = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//A//B" "http://a/b.dtd">
    <!-- é -->
    <plist version="1.0"><dict><key>a&amp;&#xE9;</key><array><string>x<![CDATA[<y>]]>😀</string><true/>
    <integer>-12</integer><real>1e3</real><date>2026-11-30T06:20:45Z</date><data>AQID BA==</data><dict/></array>
    <key>a</key><false></false></dict></plist>
    """.utf8)

  private static func binary() throws -> [UInt8] { BinaryWriter.bytes(try PropertyList(parsing: text).root) }

  @Test func `an XML list cut at any byte is refused`() throws {
    let end = Self.text.lastIndex(of: UInt8(ascii: ">")) ?? 0
    #expect(throws: Never.self) { try PropertyList(parsing: Self.text) }
    for cut in 0...end {
      #expect(InfoPlistCheck(Array(Self.text[..<cut])).findings.map { $0.check == nil ? $0.severity : nil } == [.error])
      _ = try? PropertyList(parsing: Array(Self.text[cut...]))
    }
    let published = try Fixture.bytes("Info.plist")
    for cut in 0..<(published.count - 1) {
      #expect(throws: PropertyListError.self) { try PropertyList(parsing: Array(published[..<cut])) }
    }
  }

  @Test func `a UTF-16 list cut at any byte is refused`() throws {
    let text = String(decoding: Self.text, as: UTF8.self).replacing("UTF-8", with: "UTF-16")
    let bytes = utf16(text, isBigEndian: false)
    #expect(throws: Never.self) { try PropertyList(parsing: bytes) }
    for cut in 0..<bytes.count {
      #expect(throws: PropertyListError.self) { try PropertyList(parsing: Array(bytes[..<cut])) }
    }
  }

  @Test func `a binary list cut at any byte is refused`() throws {
    for bytes in [try Self.binary(), try Fixture.bytes("Info.binary.plist")] {
      #expect(throws: Never.self) { try PropertyList(parsing: bytes) }
      for cut in 0..<bytes.count {
        #expect(throws: PropertyListError.self) { try PropertyList(parsing: Array(bytes[..<cut])) }
        _ = try? PropertyList(parsing: Array("bplist00".utf8) + bytes[cut...])
      }
    }
  }

  @Test(arguments: [1, 2, 3]) func `mutated XML lists are read or refused`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let spice = Array("<>/!?&;#[]-= \"'\r\nékeydictarray".utf8) + [0x00, 0x80, 0xC3, 0xFE, 0xFF]
    let sources = [Self.text, try Fixture.bytes("Info.plist")]
    var accepted = 0
    for round in 0..<1_000 {
      let bytes = sources[round % 2].mutated(spice: spice, using: &generator)
      guard (try? PropertyList(parsing: bytes)) != nil else { continue }
      accepted += 1
      _ = InfoPlistCheck(bytes)
    }
    #expect(accepted > 50)
    #expect(accepted < 1_000)
  }

  @Test(arguments: [1, 2, 3]) func `mutated binary lists are read or refused`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let spice: [UInt8] = [0, 1, 2, 7, 8, 9, 0x0F, 0x10, 0x13, 0x5F, 0x6F, 0x7F, 0x80, 0xA1, 0xAF, 0xD1, 0xDF, 0xFF]
    let sources = [try Self.binary(), try Fixture.bytes("Info.binary.plist")]
    var accepted = 0
    for round in 0..<4_000 {
      let bytes = sources[round % 2].mutated(spice: spice, using: &generator)
      guard (try? PropertyList(parsing: bytes)) != nil else { continue }
      accepted += 1
      _ = InfoPlistCheck(bytes)
    }
    #expect(accepted > 50)
    #expect(accepted < 4_000)
  }
}
