/// Numbers connections from 1.
///
/// libcurl tells connections apart by a number only from version 8.2 on. Until then the two ends do: while a connection
/// is open no other has the same, and a new one with the ends of a closed one is known to be new.
final class ConnectionLedger {
  /// Both ends of a connection, `127.0.0.1:9001`.
  struct Ends: Hashable {
    var local: String
    var remote: String
  }

  private var numbers: [Ends: Int] = [:]
  private var last = 0

  func number(of ends: Ends, isReused: Bool) -> Int {
    if isReused, let number = numbers[ends] { return number }
    last += 1
    numbers[ends] = last
    return last
  }
}
