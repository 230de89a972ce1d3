import LaunchTrace
import Testing

@testable import LaunchCassette

/// What stands for a secret looks like it, is as long, and is always the same.
@Suite struct PseudonymTests {
  /// Values, and what a pseudonym of them has to fit, by character: `L` and `U` letters of either case, `9` a digit, `h` and
  /// `H` hexadecimal digits, `*` a letter or digit, anything else itself.
  static let shapes: [(value: String, shape: String)] = [
    ("0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6", "########-####-4###-9###-############"),
    ("AAAAAAAA-0000-4000-8000-000000000001", "^^^^^^^^-^^^^-4^^^-8^^^-^^^^^^^^^^^^"),
    ("11111111-2222-3333-4444-555555555555", "99999999-9999-3999-4999-999999999999"),
    ("ee7333c3db45b639b1cc1879e3b723b0", "################################"),
    ("abcdefghijkl", "LLLLLLLLLLLL"),
    ("aB3-x_Y.9 z", "LU9-L_U.9 L"),
    ("48.856614", "99.999999"),
    ("-122.4", "-999.9"),
    ("jane.doe@example.com", "LLLL.LLL@example.com"),
    ("jane@corp.co.uk", "LLLL@LLLLL.test"),
    ("203.0.113.9", "192.0.2.999"),
    ("10.0.0.1", "10.9.9.9"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", "eyJ****************9.eyJ***************0.***********l"),
    ("bGF1bmNodGFwZQ==", "LUU9LLULLUULUQ=="),
    ("https://shop.example/a?b=c1", "https://LLLL.LLLLLLL/L?L=L9"),
    ("Zoë 漢 😀", "ULα L"),
  ]

  @Test(arguments: shapes)
  func `keeps shape and length`(value: String, shape: String) throws {
    var table = SecretTable()
    let index = table.learn(Array(value.utf8), kind: "kind")
    let pseudonym = String(decoding: table.secrets[try #require(index)].replacement, as: UTF8.self)
    #expect(pseudonym.utf8.count == value.utf8.count)
    #expect(pseudonym != value)
    guard value.utf8.allSatisfy({ $0 < 0x80 }) else {
      #expect(pseudonym.unicodeScalars.map { UTF8.width($0) } == value.unicodeScalars.map { UTF8.width($0) })
      return
    }
    #expect(pseudonym.fits(shape), "\(pseudonym)")
  }

  @Test func `is the same in every run, and another for every number and kind`() {
    let value = Array("abcdefghijkl".utf8)
    let choices = (1...200).flatMap { number in
      ["a", "b"].map { Pseudonym(for: value, kind: $0, number: number).choice(0) }
    }
    #expect(Set(choices).count == choices.count)
    #expect(
      choices
        == (1...200).flatMap { number in
          ["a", "b"].map { Pseudonym(for: value, kind: $0, number: number).choice(0) }
        })
  }

  @Test func `two digits are enough for many different values`() {
    var table = SecretTable()
    let values = (10...60).map { Array("\($0)".utf8) }
    let pseudonyms = values.compactMap { value in table.learn(value, kind: "tag").map { table.secrets[$0].replacement }
    }
    #expect(Set(pseudonyms).count == values.count)
    #expect(zip(values, pseudonyms).allSatisfy { $0 != $1 })
  }

  @Test(arguments: ["", "x", "true", "FALSE", "null", "0", "0.0", "00000000-0000-0000-0000-000000000000", "production"])
  func `what says nothing is no secret`(value: String) {
    var table = SecretTable()
    #expect(table.learn(Array(value.utf8), kind: "kind") == nil)
  }
}

extension String {
  /// Whether this text has the shape, see `PseudonymTests.shapes`.
  fileprivate func fits(_ shape: String) -> Bool {
    count == shape.count
      && zip(self, shape).allSatisfy { character, wanted in
        switch wanted {
        case "L": character.isLowercase
        case "U": character.isUppercase
        case "9": character.isNumber
        case "#": "0123456789abcdef".contains(character)
        case "^": "0123456789ABCDEF".contains(character)
        case "*": character.isLetter || character.isNumber
        default: character == wanted
        }
      }
  }
}
