import PostgreSQL
import Rows

/// A connection to a library in PostgreSQL.
final class PostgreSQLSession {
  let connection: PostgreSQLConnection
  /// The number of the server's process that answered first.
  let process: Int
  /// How many rows the last statement changed.
  var changesCount = 0
  var insertions: [String: ManyRows] = [:]
  var reserves: [String: NumberReserve] = [:]
  private var index: SearchIndex?

  /// Connects to a library.
  ///
  /// - Parameter info: The connection string.
  init(_ info: String) throws {
    connection = try PostgreSQLConnection(info)
    // Plans that are compiled by LLVM begin late, and statements here are short.
    process = try connection.process(after: "SET search_path = media; SET jit = off; ")
  }

  /// Connects to a library, waiting for a server if the string names several: when one of them dies, another one needs a few
  /// seconds to take over.
  ///
  /// - Parameters:
  ///   - info: The connection string.
  ///   - wait: Waits before attempt `n`, counted from 2.
  static func connected(_ info: String, wait: (_ attempt: Int) -> Void) throws -> PostgreSQLSession {
    let end = ContinuousClock.now + patience
    var attempt = 1
    while true {
      do { return try PostgreSQLSession(info) } catch let error as PostgreSQLError
        where error.isNoConnection && info.contains(",") && ContinuousClock.now < end
      {
        attempt += 1
        wait(attempt)
      }
    }
  }

  /// How long a server is waited for that takes over.
  private static let patience = Duration.seconds(15)

  /// The search index of the library.
  var searchIndex: SearchIndex {
    get throws {
      let index = try index ?? SearchIndex()
      self.index = index
      return index
    }
  }

  func run(_ sql: String, _ arguments: Arguments = []) throws {
    changesCount = try connection.run(sql, searching(arguments))
  }

  func rows(_ sql: String, _ arguments: Arguments) throws -> [PostgreSQLRow] {
    try connection.rows(sql, searching(arguments))
  }

  /// A search is an argument of another form.
  private func searching(_ arguments: Arguments) throws -> Arguments {
    guard arguments.contains(where: { $0 is SearchMatch }) else { return arguments }
    return try arguments.map { argument in
      guard let match = argument as? SearchMatch else { return argument }
      return try searchIndex.argument(match.search, isOpen: match.isOpen)
    }
  }
}
