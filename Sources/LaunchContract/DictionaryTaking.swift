extension Dictionary {
  /// Takes out the value of a key. Where there are none, as for most of the tables that a rule keeps most of the time, it
  /// costs nothing.
  @discardableResult
  mutating func take(_ key: Key) -> Value? { isEmpty ? nil : removeValue(forKey: key) }
}
