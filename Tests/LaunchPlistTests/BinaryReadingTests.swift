import LaunchPlist
import Testing

@Suite struct BinaryReadingTests {
  @Test func `the same list in both forms has the same values`() throws {
    let binary = try PropertyList(parsing: Fixture.bytes("Info.binary.plist"))
    let text = try PropertyList(parsing: Fixture.bytes("Info.plist"))
    #expect(binary.root.summary == text.root.summary)
    #expect(binary.format == .binary)
    #expect(text.format == .xml)
    #expect(binary.root.place == nil)
    #expect(binary.root.members?.allSatisfy { $0.place == nil && $0.value.place == nil } == true)
  }

  private static let objects: [(bytes: [UInt8], summary: String)] = [
    ([0x00], "null"), ([0x08], "false"), ([0x09], "true"),
    ([0x10, 0xFF], "255"), ([0x11, 0xFF, 0xFF], "65535"), ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], "4294967295"),
    ([0x13] + [UInt8](repeating: 0xFF, count: 8), "-1"),
    ([0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8), "18446744073709551615"),
    ([0x22, 0x3F, 0xC0, 0, 0], "real 1.5"), ([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], "real 1.5"),
    ([0x33, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], "date 1.5"),
    ([0x42, 1, 2], "data [1, 2]"), ([0x4F, 0x10, 1, 7], "data [7]"),
    ([0x52, 0x61, 0x62], #""ab""#), ([0x5F, 0x10, 0x01, 0x61], #""a""#),
    ([0x62, 0xD8, 0x3D, 0xDE, 0x00], #""😀""#), ([0x80, 5], "uid 5"), ([0x83, 0, 0, 1, 0], "uid 256"),
    ([0xA0], "[]"), ([0xB0], "[]"), ([0xC0], "[]"), ([0xD0], "{}"),
  ]

  @Test(arguments: objects) func `each kind of object is read`(row: (bytes: [UInt8], summary: String)) throws {
    #expect(try PropertyList(parsing: BinaryWriter(objects: [row.bytes]).file(root: 0)).root.summary == row.summary)
  }

  private static let faults: [(objects: [[UInt8]], error: String)] = [
    ([[0x01]], "byte 8: no object begins with 0x01"),
    ([[0xE0]], "byte 8: no object begins with 0xe0"),
    ([[0x15]], "byte 8: an integer of more than 16 bytes"),
    ([[0x11, 0]], "byte 9: this object is longer than the file has room for; is the file cut?"),
    ([[0x24]], "byte 8: a real number of neither 4 nor 8 bytes"),
    ([[0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]], "byte 8: this date is no number"),
    ([[0x51, 0x80]], "byte 8: this string is not ASCII, as it says"),
    ([[0x61, 0xD8, 0x00]], "byte 8: this string is not UTF-16, as it says"),
    ([[0x5F, 0x51]], "byte 9: expected the integer that says how long this object is"),
    (
      [[0x5F, 0x13] + [UInt8](repeating: 0xFF, count: 8)],
      "byte 9: this object is longer than the file has room for; is the file cut?"
    ),
    (
      [[0xDF, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)],
      "byte 18: this object is longer than the file has room for; is the file cut?"
    ),
    (
      [[0x6F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)],
      "byte 8: this object is longer than the file has room for; is the file cut?"
    ),
    ([[0x88] + [UInt8](repeating: 0, count: 9)], "byte 8: a reference of more than 8 bytes"),
    ([[0xA1, 0, 0]], "byte 8: object 0 contains itself"),
    ([[0xA1, 0, 1], [0xA1, 0, 0]], "byte 11: object 0 contains itself"),
    ([[0xA1, 0, 9]], "byte 8: object 9 is used, and there are 1"),
    ([[0xD1, 0, 1, 0, 1], [0x09]], "byte 8: a key of this dictionary is no string"),
  ]

  @Test(arguments: faults) func `a damaged object is told with its place`(row: (objects: [[UInt8]], error: String)) {
    let bytes = BinaryWriter(objects: row.objects).file(root: 0)
    let error = #expect(throws: PropertyListError.self) { try PropertyList(parsing: bytes) }
    #expect(error?.description == row.error)
  }

  @Test func `a trailer that does not fit the file is refused`() throws {
    let bytes = BinaryWriter(objects: [[0x09]]).file(root: 0)
    #expect(try PropertyList(parsing: bytes).root.summary == "true")
    // References of any size would do: there are none.
    for index in (bytes.count - 26)..<bytes.count where index != bytes.count - 25 {
      for value: UInt8 in [0x00, 0x01, 0x07, 0x7F, 0x80, 0xFF] where bytes[index] != value {
        var damaged = bytes
        damaged[index] = value
        #expect(throws: PropertyListError.self, "byte \(index) is \(value)") { try PropertyList(parsing: damaged) }
      }
    }
  }

  @Test func `another version of the form is named`() {
    let error = #expect(throws: PropertyListError.self) { try PropertyList(parsing: Array("bplist15xxxx".utf8)) }
    #expect(
      error?.description
        == "byte 6: version '15' of the binary form is not read, only '00'; to convert the file: plutil -convert xml1 FILE"
    )
  }

  @Test func `objects that are used again and again cannot fill the memory`() throws {
    var writer = BinaryWriter()
    var last = writer.add([0x09])
    for _ in 0..<100 { last = writer.add(writer.array([last, last])) }
    let error = #expect(throws: PropertyListError.self) { try PropertyList(parsing: writer.file(root: last)) }
    #expect(error?.message == "this unfolds to more than 1000000 values")
  }

  @Test func `values may be nested 128 deep, whichever way is read first`() throws {
    func nested(_ depth: Int, shortcut: Bool) -> [UInt8] {
      var writer = BinaryWriter()
      var levels = [writer.add([0xA0])]
      for _ in 1..<(depth - 1) { levels.append(writer.add(writer.array([levels[levels.count - 1]]))) }
      // The lower half is known already when the way through all of them is taken.
      let top = [shortcut ? levels[levels.count / 2] : levels[0], levels[levels.count - 1]]
      let root = writer.add(writer.array(top))
      return writer.file(root: root)
    }
    for shortcut in [false, true] {
      #expect(throws: Never.self) { try PropertyList(parsing: nested(128, shortcut: shortcut)) }
      #expect(throws: PropertyListError.self) { try PropertyList(parsing: nested(129, shortcut: shortcut)) }
      #expect(throws: PropertyListError.self) { try PropertyList(parsing: nested(20_000, shortcut: shortcut)) }
    }
  }
}
