import LaunchPlist
import Testing

@Suite struct XMLReadingTests {
  private static let values: [(body: String, summary: String)] = [
    ("<string>a</string>", #""a""#),
    ("<string/>", #""""#),
    ("<string> a&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600; </string>", #"" a<&>"'A😀 ""#),
    ("<string>a<!-- x -->b<![CDATA[<c>&amp;]]>d]e<?pi ?></string>", #""ab<c>&amp;d]e""#),
    ("<string>1\r\n2\r3&#13;\n4</string>", "\"1\n2\n3\r\n4\""),
    ("<true/>", "true"),
    ("<false></false>", "false"),
    ("<integer>-42</integer>", "-42"),
    ("<integer> +0x1F\n</integer>", "31"),
    ("<integer>18446744073709551615</integer>", "18446744073709551615"),
    ("<integer>-9223372036854775808</integer>", "-9223372036854775808"),
    ("<real>-1.5e3</real>", "real -1500.0"),
    ("<date>2001-01-01T00:00:00Z</date>", "date 0.0"),
    ("<date>2024-02-29T23:59:59Z</date>", "date 730943999.0"),
    ("<date>1970-01-01T00:00:00Z</date>", "date -978307200.0"),
    ("<data>AQID</data>", "data [1, 2, 3]"),
    ("<data>\n  AQ\n  ==\n</data>", "data [1]"),
    ("<data/>", "data []"),
    ("<array><true/> <!-- x --> <array/></array>", "[true,[]]"),
    (
      "<dict><key>a</key><true/><key>b</key><dict></dict><key>a</key><string>2</string></dict>", #"{a:true,b:{},a:"2"}"#
    ),
    ("<dict><key/><true/></dict>", "{:true}"),
  ]

  @Test(arguments: values) func `a value is read`(row: (body: String, summary: String)) throws {
    #expect(try PropertyList(row.body).root.summary == row.summary)
    let whole =
      #"<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//A//B" "http://a/b.dtd">"#
      + "\n<!-- x --><plist version='1.0'>\(row.body)\n</plist>\n<!-- y -->\n"
    #expect(try PropertyList(parsing: Array(whole.utf8)).root.summary == row.summary)
    #expect(try PropertyList(parsing: [0xEF, 0xBB, 0xBF] + Array(whole.utf8)).root.summary == row.summary)
    for isBigEndian in [true, false] {
      let bytes = utf16(whole.replacing("UTF-8", with: "UTF-16"), isBigEndian: isBigEndian)
      #expect(try PropertyList(parsing: bytes).root.summary == row.summary)
    }
  }

  @Test func `each value and key knows its line and column, in characters`() throws {
    let text = "<plist>\r\n<dict>\r\t<key>é</key> <string>x\ny</string>\n<key>b</key>é<!---->"
    let body = text.replacing("é<!---->", with: "<array><true/>\n  <false/></array></dict></plist>")
    let root = try PropertyList(parsing: Array(body.utf8)).root
    #expect(root.place == TextPlace(line: 2, column: 1))
    let members = try #require(root.members)
    #expect(members.map(\.place) == [TextPlace(line: 3, column: 2), TextPlace(line: 5, column: 1)])
    #expect(members.map(\.value.place) == [TextPlace(line: 3, column: 15), TextPlace(line: 5, column: 13)])
    #expect(
      members[1].value.elements?.map(\.place) == [TextPlace(line: 5, column: 20), TextPlace(line: 6, column: 3)])
  }

  private static let faults: [(text: String, error: String)] = [
    ("<plist>", "1:8: the file ends before </plist> closes <plist> of line 1"),
    ("<plist/>", "1:1: <plist> is empty; it holds one value, mostly a <dict>"),
    ("<plist></plist>", "1:1: <plist> is empty; it holds one value, mostly a <dict>"),
    ("<plist><true/>\n<true/></plist>", "2:1: <plist> holds one value, and <true> is a second one"),
    ("<plist><true/></plist>\n<plist/>", "2:1: nothing may follow </plist>"),
    ("<plist><true/></plist></a>", "1:23: </a> closes nothing"),
    (
      "<plist><true/></plist> x",
      "1:24: the text 'x' stands outside of a value; a text is written <string>…</string>"
    ),
    ("<?xml version=\"1.0\"?>", "1:22: the file has no <plist> element"),
    ("<?xml version=\"1.0\"?><html/>", "1:22: expected <plist>, found <html>"),
    ("<plist><dict>\n<key>a</key></dict></plist>", "2:1: the key 'a' has no value"),
    ("<plist><dict>\n<key>a</key><key>b</key></dict></plist>", "2:1: the key 'a' has no value"),
    ("<plist><dict><true/></dict></plist>", "1:14: <true> has no <key> in front of it"),
    ("<plist><key>a</key></plist>", "1:8: <key> stands only in front of a value of a <dict>"),
    ("<plist><dict>\n<true></dict></plist>", "2:1: <true> has no <key> in front of it"),
    ("<plist><array>\n</dict></plist>", "2:1: </dict> does not close <array> of line 1"),
    ("<plist><array>\n<true></array></plist>", "2:7: </array> does not close <true> of line 2"),
    (
      "<plist><array>a</array></plist>",
      "1:15: the text 'a' stands outside of a value; a text is written <string>…</string>"
    ),
    (
      "<plist><string><b>x</b></string></plist>",
      "1:16: <b> stands inside <string>, which holds text only; '<' in a text is written '&lt;'"
    ),
    ("<plist><String>x</String></plist>", "1:8: <String> is no value of a property list; did you mean <string>?"),
    (
      "<plist><float>1</float></plist>",
      "1:8: <float> is no value of a property list; values are <dict>, <array>, <string>, <true>, <false>, <integer>, "
        + "<real>, <date>, <data>"
    ),
    ("<plist><string a='1'/></plist>", "1:8: <string> takes no attributes, and has 'a'"),
    ("<plist><dict><key a='1'/><true/></dict></plist>", "1:14: <key> takes no attributes"),
    ("<plist><true>x</true></plist>", "1:8: <true/> takes no text"),
    (
      "<plist><integer>1.5</integer></plist>",
      "1:8: <integer> holds a whole number of 64 bits, such as 42, and not '1.5'"
    ),
    (
      "<plist><integer>18446744073709551616</integer></plist>",
      "1:8: <integer> holds a whole number of 64 bits, such as 42, and not '18446744073709551616'"
    ),
    ("<plist><integer/></plist>", "1:8: <integer> holds a whole number of 64 bits, such as 42, and not ''"),
    (
      "<plist><integer>--1</integer></plist>",
      "1:8: <integer> holds a whole number of 64 bits, such as 42, and not '--1'"
    ),
    ("<plist><real>one</real></plist>", "1:8: <real> holds a number such as 0.5, and not 'one'"),
    (
      "<plist><date>2023-02-29T00:00:00Z</date></plist>",
      "1:8: <date> holds a date such as 2026-11-30T06:20:45Z, and not '2023-02-29T00:00:00Z'"
    ),
    (
      "<plist><date>2023-02-28</date></plist>",
      "1:8: <date> holds a date such as 2026-11-30T06:20:45Z, and not '2023-02-28'"
    ),
    ("<plist><data>AQI</data></plist>", "1:8: <data> holds Base64, and not 'AQI'"),
    ("<plist><data>A===</data></plist>", "1:8: <data> holds Base64, and not 'A==='"),
    ("<plist><data>AR==</data></plist>", "1:8: <data> holds Base64, and not 'AR=='"),
    ("<plist><string>a & b</string></plist>", "1:18: '&' in a text is written '&amp;'"),
    (
      "<plist><string>&nbsp;</string></plist>",
      "1:16: '&nbsp;' is not known: a property list has &lt; &gt; &amp; &quot; &apos; and numbers such as &#160;"
    ),
    ("<plist><string>&#0;</string></plist>", "1:16: '&#0;' is no character that XML allows"),
    ("<plist><string>&#xD800;</string></plist>", "1:16: '&#xD800;' is no character that XML allows"),
    ("<plist><string>&#xFFFFFFFFFF;</string></plist>", "1:16: '&#xFFFFFFFFFF;' is no character that XML allows"),
    ("<plist><string>&#;</string></plist>", "1:16: '&#;' is no character that XML allows"),
    ("<plist><string>a < b</string></plist>", "1:18: '<' begins no tag; in a text it is written '&lt;'"),
    ("<plist><string>]]></string></plist>", "1:16: ']]>' in a text is written ']]&gt;'"),
    ("<plist><string>\u{1}</string></plist>", "1:16: XML forbids this character"),
    ("<plist><string>é\u{FFFE}</string></plist>", "1:17: XML forbids this character"),
    ("<plist><!-- a -- b --><true/></plist>", "1:15: '--' may not stand inside a comment; write '- -'"),
    ("<plist><!-- a", "1:14: the file ends inside a comment that begins on line 1; '--' closes it"),
    (
      "<plist><string><![CDATA[a]]</string></plist>",
      "1:45: the file ends inside a CDATA section that begins on line 1; ']]>' closes it"
    ),
    ("<plist><!ELEMENT a><true/></plist>", "1:8: no declaration may stand here; '<' in a text is written '&lt;'"),
    ("\n<?xml version=\"1.0\"?><plist/>", "2:1: the XML declaration must be the very first thing in the file"),
    (
      "<?xml version=\"2.0\"?><plist/>",
      "1:7: an XML declaration is written <?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    ),
    (
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist/>",
      "1:21: the file says that it is 'ISO-8859-1' and is read as UTF-8; save it as UTF-8, with encoding=\"UTF-8\""
    ),
    ("<?xml version=\"1.0\" <plist/>", "1:21: expected the name of an attribute, or '>'"),
    ("<!DOCTYPE html><html/>", "1:11: expected <!DOCTYPE plist …>, as every property list has it"),
    (
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>",
      "1:17: declarations inside DOCTYPE are refused: a property list needs none, and entities could blow it up"
    ),
    ("<!DOCTYPE plist PUBLIC \"a\"><plist/>", "1:27: expected the address of the document type in quotes"),
    ("<plist version=1><true/></plist>", "1:16: expected the value of 'version' in quotes"),
    ("<plist version><true/></plist>", "1:15: expected '=' behind the attribute 'version'"),
    ("<plist version='<'><true/></plist>", "1:17: the value of 'version' has a '<' or '&'"),
    ("<plist/ ><true/></plist>", "1:7: expected '>' at the end of <plist>"),
    ("<plist><true/></plist x>", "1:23: expected '>' at the end of </plist>"),
    (
      "{ CFBundleName = x; }",
      "byte 0: this is an old-style property list, which is not read; to convert it: plutil "
        + "-convert xml1 FILE"
    ),
    (
      "// !$*UTF8*$!\n{\n\t\"a b\" = 1;\n}",
      "byte 0: this is an old-style property list, which is not read; to convert "
        + "it: plutil -convert xml1 FILE"
    ),
    ("{\"a\": 1}", "byte 0: this is no property list: it begins with none of '<?xml', '<plist' and 'bplist00'"),
    ("", "byte 0: this is no property list: it begins with none of '<?xml', '<plist' and 'bplist00'"),
  ]

  @Test(arguments: faults) func `what is malformed is told with its place`(row: (text: String, error: String)) {
    let error = #expect(throws: PropertyListError.self) { try PropertyList(parsing: Array(row.text.utf8)) }
    #expect(error?.description == row.error)
  }

  @Test func `an error shows its line`() {
    let error = #expect(throws: PropertyListError.self) {
      try PropertyList(parsing: Array("<plist>\r\n\t<dict>é<x/>\r\n</dict></plist>".utf8))
    }
    #expect(error?.place == .text(TextPlace(line: 2, column: 8), sourceLine: "\t<dict>é<x/>"))
  }

  private static let undecodable: [(bytes: [UInt8], error: String)] = [
    (Array("<plist>\n<string>é".utf8) + [0xFF], "2:10: this is not UTF-8; save the file as UTF-8"),
    (utf16("<plist>", isBigEndian: true) + [0x00], "1:8: this file is not UTF-16 throughout; save it as UTF-8"),
    (utf16("<plist>", isBigEndian: true) + [0xD8, 0x00], "1:9: this file is not UTF-16 throughout; save it as UTF-8"),
    (
      utf16("<?xml version='1.0' encoding='UTF-8'?><plist/>", isBigEndian: false),
      "1:21: the file says that it is 'UTF-8' and is UTF-16; save it as UTF-8, with encoding=\"UTF-8\""
    ),
  ]

  @Test(arguments: undecodable) func `bytes that are no text are told`(row: (bytes: [UInt8], error: String)) {
    let error = #expect(throws: PropertyListError.self) { try PropertyList(parsing: row.bytes) }
    #expect(error?.description == row.error)
  }

  @Test func `values may be nested 128 deep`() throws {
    let nested = { (depth: Int) in
      String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    }
    #expect(throws: Never.self) { try PropertyList(nested(128)) }
    let error = #expect(throws: PropertyListError.self) { try PropertyList(nested(129)) }
    #expect(error?.message == "values are nested more than 128 deep")
    #expect(throws: PropertyListError.self) { try PropertyList(nested(100_000)) }
  }

  @Test func `a large list of one line is read in time that grows with its size`() throws {
    let body = "<array>" + String(repeating: "<string>a</string>", count: 20_000) + "</array>"
    let elements = try #require(try PropertyList(body).root.elements)
    #expect(elements.last?.place == TextPlace(line: 1, column: 15 + 18 * 19_999))
  }
}
