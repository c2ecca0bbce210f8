import Rows

/// A piece of SQL with its arguments. It becomes part of another by interpolation, as do words; `bind` marks an argument:
///
///     let isTheirs: Clause = "p.author = \(bind: author)"
///     let posts: Clause = "SELECT p.id FROM post p WHERE \(isTheirs) LIMIT \(bind: 20)"
struct Clause: Sendable {
  fileprivate enum Part {
    case words(String)
    case argument((any Argument)?)
  }

  private var parts: [Part] = []

  /// The words, with `$1` for the first argument.
  var sql: String {
    var (text, count) = ("", 0)
    for part in parts {
      switch part {
      case .words(let words): text += words
      case .argument:
        count += 1
        text += "$\(count)"
      }
    }
    return text
  }

  var arguments: Arguments {
    parts.compactMap { part in
      guard case .argument(let argument) = part else { return nil }
      return .some(argument)
    }
  }

  /// A maximum number of rows, after the rest of a query; nothing for -1.
  init(limit: Int) { self = limit < 0 ? "" : " LIMIT \(bind: limit)" }

  static func += (clause: inout Clause, other: Clause) { clause.parts += other.parts }
}

extension Clause: ExpressibleByStringInterpolation {
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

    mutating func appendLiteral(_ words: String) { if !words.isEmpty { parts.append(.words(words)) } }

    mutating func appendInterpolation(_ words: String) { appendLiteral(words) }

    mutating func appendInterpolation(_ clause: Clause) { parts += clause.parts }

    mutating func appendInterpolation(bind argument: (any Argument)?) { parts.append(.argument(argument)) }
  }

  init(stringLiteral words: String) { parts = [.words(words)] }

  init(stringInterpolation interpolation: StringInterpolation) { parts = interpolation.parts }
}

extension DefaultStringInterpolation {
  /// The words of a clause without its arguments are no statement. The warning is an error in the project's own builds; the
  /// compiler would pass over a method that is not available, and take the one for anything.
  @available(*, deprecated, message: "write \"as Clause\" behind the text")
  mutating func appendInterpolation(_ clause: Clause) { appendLiteral(clause.sql) }
}

extension [Clause] {
  /// The clauses with words between them.
  func joined(by words: String) -> Clause {
    var all: Clause = ""
    for (index, clause) in enumerated() {
      if index > 0 { all += "\(words)" }
      all += clause
    }
    return all
  }

  /// The clauses with words between them, in parentheses. SQLite takes expressions of at most a thousand levels, and a chain is
  /// one of as many.
  func enclosed(by words: String) -> Clause {
    let step = Swift.max(20, Int(Double(count).squareRoot()))
    guard count > step else { return "(\(joined(by: words)))" }
    let parts = stride(from: 0, to: count, by: step).map { Array(self[$0..<Swift.min($0 + step, count)]) }
    return parts.map { $0.enclosed(by: words) }.enclosed(by: words)
  }
}

extension Database {
  /// A row comes after a name and a number.
  ///
  /// SQLite uses no index whose texts are folded to compare rows of values.
  ///
  /// - Parameter name: The folded column.
  func isLater(_ name: String, _ id: String, than last: (name: String, id: Int64), _ sign: String = ">") -> Clause {
    let last: (name: Clause, id: Clause) = (folded(bind: last.name), "\(bind: last.id)")
    return "\(name) \(sign)= \(last.name) AND (\(name) \(sign) \(last.name) OR \(id) \(sign) \(last.id))"
  }

  /// A value that is compared without regard to the case of the letters of ASCII.
  func folded(bind text: String) -> Clause {
    engine == .sqlite ? "\(bind: text) COLLATE NOCASE" : "lower(\(bind: text) COLLATE \"C\")"
  }

  func value<Value: ColumnValue>(_ clause: Clause) throws -> Value? { try value(clause.sql, clause.arguments) }

  func values<Value: ColumnValue>(_ clause: Clause) throws -> [Value] { try values(clause.sql, clause.arguments) }

  func hasRow(_ clause: Clause) throws -> Bool { try hasRow(clause.sql, clause.arguments) }

  @discardableResult
  func rows<Value>(_ clause: Clause, _ body: (Row) throws -> Value) throws -> [Value] {
    try rows(clause.sql, clause.arguments, body)
  }

  func rows<Value: RowDecodable>(_ clause: Clause) throws -> [Value] { try rows(clause.sql, clause.arguments) }
}
