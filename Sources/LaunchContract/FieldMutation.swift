import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// One field of a mark, a request or an answer with another value, or without it.
struct FieldMutation {
  enum Kind: CaseIterable {
    case changed, removed

    /// What becomes of a value; nil takes it away.
    fileprivate func mutant(of value: JSON) -> JSON? {
      guard self == .changed else { return nil }
      return switch value {
      case .null: .bool(true)
      case .bool(let flag): .bool(!flag)
      case .integer(let number): .integer(-1 - number)
      case .number(let text): .number(text.hasPrefix("-") ? String(text.dropFirst()) : "-1\(text)")
      case .string(let text): .string(mutant(of: text))
      case .array, .object: .null
      }
    }

    fileprivate func mutant(of text: String) -> String { Int64(text).map { String(-1 - $0) } ?? text + "~" }
  }

  let field: FieldPath
  let kind: Kind

  /// The event with the field changed; nil when it has none.
  func mutant(of event: Event) -> Event? {
    var event = event
    switch event.kind {
    case .mark(var mark) where field.root == .mark:
      guard case .object(let fields)? = mutant(of: .object(mark.fields), field.steps[...]) else { return nil }
      mark.fields = fields
      event.kind = .mark(mark)
    case .call(let call, .request(var request, let previous)):
      guard change(&request) else { return nil }
      event.kind = .call(call, .request(request, from: previous))
    case .call(let call, .response(var head)) where field.root == .responseHeader:
      guard change(&head.fields) else { return nil }
      event.kind = .call(call, .response(head))
    case .call(let call, .end(var content)) where field.root == .responseBody:
      guard change(&content.body) else { return nil }
      event.kind = .call(call, .end(content))
    default: return nil
    }
    return event
  }

  /// - Returns: false when the request lacks the field. Method and status are no values: another mutant is about them.
  private func change(_ request: inout Request) -> Bool {
    switch field.root {
    case .header: return change(&request.fields)
    case .body: return change(&request.body)
    case .query:
      guard let pairs = changed(FormPairs(parsing: request.location.query ?? "")) else { return false }
      request.location.query = String(decoding: pairs.serialized, as: UTF8.self)
    case .form:
      guard let pairs = changed(FormPairs(parsing: request.body.bytes)) else { return false }
      request.body = Body(pairs.serialized)
    case .method, .mark, .status, .responseHeader, .responseBody: return false
    }
    return true
  }

  private func changed(_ pairs: FormPairs) -> FormPairs? {
    guard let index = pairs.pairs.firstIndex(where: { $0.name == field.name }) else { return nil }
    var pairs = pairs
    if kind == .removed {
      pairs.pairs.remove(at: index)
    } else {
      pairs.pairs[index].value = kind.mutant(of: pairs.pairs[index].value)
    }
    return pairs
  }

  private func change(_ fields: inout Fields) -> Bool {
    guard let value = fields[field.name] else { return false }
    fields[field.name] = kind == .removed ? nil : kind.mutant(of: value)
    return true
  }

  private func change(_ body: inout Body) -> Bool {
    guard let json = try? JSON(parsing: body.bytes), let mutant = mutant(of: json, field.steps[...]) else {
      return false
    }
    body = Body(Array(mutant.text.utf8))
    return true
  }

  /// The value with what lies at the end of the steps changed; nil when nothing does.
  private func mutant(of json: JSON, _ steps: ArraySlice<FieldPath.Step>) -> JSON? {
    guard let step = steps.first else { return nil }
    switch (step, json) {
    case (.key(let key), .object(var object)):
      guard let value = object[key] else { return nil }
      if steps.count > 1 {
        guard let inner = mutant(of: value, steps.dropFirst()) else { return nil }
        object[key] = .some(inner)
      } else if let mutant = kind.mutant(of: value) {
        object[key] = .some(mutant)
      } else {
        object[key] = nil
      }
      return .object(object)
    case (.index(let index), .array(var array)) where array.indices.contains(index):
      if steps.count > 1 {
        guard let inner = mutant(of: array[index], steps.dropFirst()) else { return nil }
        array[index] = inner
      } else if let mutant = kind.mutant(of: array[index]) {
        array[index] = mutant
      } else {
        array.remove(at: index)
      }
      return .array(array)
    default: return nil
    }
  }
}
