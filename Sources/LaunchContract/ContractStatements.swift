import LaunchDiagnostics

/// The second and third steps: what the lines declare, then what they demand.
extension ContractParser {
  mutating func readDeclarations(_ file: Int) {
    for line in files[file].lines {
      guard let first = line.first, first.isWord("mark") || first.isWord("call") else { continue }
      var parser = DeclarationParser(line.tokens)
      var mistake: Mistake?
      do throws(Mistake) { try parser.parse() } catch { mistake = error }
      for var declaration in parser.declarations {
        if mistake != nil { declaration.meaning = .unusable }
        (declaration.file, declaration.line) = (files[file].name, line.source.number)
        declaration.sourceLine = line.source.text
        declare(declaration, file, line.source)
      }
      if let mistake { report(mistake, file, line.source) } else { files[file].understood += 1 }
    }
  }

  private mutating func declare(_ declaration: Declaration, _ file: Int, _ line: SourceText.Line) {
    guard !names.add(declaration), let number = names.number(of: declaration.name) else { return }
    let earlier = names[number]
    if earlier.line > 0, earlier.file != declaration.file, earlier.meansSame(as: declaration) { return }
    let place =
      earlier.line == 0
      ? "is a name every contract has"
      : earlier.file == declaration.file
        ? "is already declared on line \(earlier.line)"
        : "is declared otherwise in \(earlier.file), line \(earlier.line)"
    report(Mistake(column: declaration.column, message: "'\(declaration.name)' \(place)"), file, line)
  }

  /// The rules of a file, those of its includes at their place.
  mutating func readRules(_ file: Int) {
    var block: Block?
    for line in files[file].lines where !line.isBlank {
      if let current = block, line.indentation > current.indentation {
        block?.isEmpty = false
        if let first = line.first, Vocabulary.statements.contains(where: first.isWord) {
          let what = first.text == "when" ? "'when' blocks do not nest" : "'\(first.text)' stands outside 'when' blocks"
          report(Mistake(column: first.column, message: what), file, line.source)
        } else if !line.tokens.isEmpty {
          readRule(line, file, current.guardian, isUsable: current.guardian != nil)
        }
        continue
      }
      close(&block, file)
      if let included = line.included { readRules(included) }
      guard let first = line.first else { continue }
      if first.isWord("when") {
        block = open(line, file)
      } else if !Vocabulary.statements.contains(where: first.isWord) {
        readRule(line, file, nil)
      }
    }
    close(&block, file)
  }

  /// A `when` block whose rules are being read.
  private struct Block {
    var line: SourceFile.Line
    /// Nil when the head has a mistake.
    var guardian: Rule.Guard?
    var isEmpty = true

    var indentation: Int { line.indentation }
  }

  private mutating func open(_ line: SourceFile.Line, _ file: Int) -> Block {
    var parser = GuardParser(line, names: names, hasHints: hasHints)
    do throws(Mistake) {
      return Block(line: line, guardian: try parser.parse())
    } catch {
      report(error, file, line.source)
      return Block(line: line)
    }
  }

  private mutating func close(_ block: inout Block?, _ file: Int) {
    if let block, block.isEmpty {
      let column = block.line.tokens.first?.column ?? 1
      report(
        Mistake(column: column, message: "this 'when' has no rules; indent them under it"), file, block.line.source)
    }
    block = nil
  }

  private mutating func readRule(_ line: SourceFile.Line, _ file: Int, _ guardian: Rule.Guard?, isUsable: Bool = true) {
    var parser = RuleParser(line.tokens, names: lendNames(), tolerance: files[file].tolerance ?? 0, hasHints: hasHints)
    do throws(Mistake) {
      let parsed = try parser.parse()
      if parser.mistakes.isEmpty, isUsable {
        files[file].understood += 1
        rules.append(
          PlacedRule(
            rule: rule(parsed, line, file, guardian), file: file, column: parsed.column, source: line.source))
      }
    } catch {
      parser.mistakes.append(error)
    }
    names = parser.names
    for mistake in parser.mistakes { report(mistake, file, line.source) }
    for doubt in parser.doubts { report(doubt, file, line.source, .warning) }
  }

  /// Gives the names away for a while, so that what adds one need not copy all of them.
  private mutating func lendNames() -> Names {
    defer { names = .builtIn }
    return names
  }

  private func rule(
    _ parsed: RuleParser.Parsed, _ line: SourceFile.Line, _ file: Int, _ guardian: Rule.Guard?
  ) -> Rule {
    let because = line.comment.flatMap { $0.hasPrefix("because ") ? String($0.dropFirst(8)).trimmingBlanks : nil }
    return Rule(
      name: parsed.name, sentence: line.text(from: parsed.column), file: files[file].name, line: line.source.number,
      isAdvice: parsed.isAdvice, isOptional: parsed.isOptional, reason: because, form: parsed.form,
      scope: parsed.scope, key: parsed.key, guardian: guardian)
  }
}

extension Declaration {
  /// Whether both declare one thing.
  fileprivate func meansSame(as other: Declaration) -> Bool {
    meaning != .unusable && meaning == other.meaning && key == other.key && order == other.order
  }
}
