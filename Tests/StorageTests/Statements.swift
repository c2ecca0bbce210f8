import CSQLite
import SQLite
import Synchronization

@testable import Storage

extension TestLibrary {
  /// The statements that the library's writing connection runs during `work`.
  func statements(of work: () throws -> Void) throws -> [String] {
    let noted = Mutex<[String]>([])
    let listener = StatementListener { sql in noted.withLock { $0.append(sql) } }
    try database.use { try $0.trace(listener) }
    try withExtendedLifetime(listener) {
      try work()
      try database.use { try $0.trace(nil) }
    }
    return noted.withLock(\.self)
  }
}

/// Receives each statement that a connection begins, with its arguments.
final class StatementListener: Sendable {
  fileprivate let note: @Sendable (String) -> Void

  init(_ note: @escaping @Sendable (String) -> Void) { self.note = note }
}

extension Connection {
  /// Traces statements to a listener that outlives the connection; nil stops it. https://sqlite.org/c3ref/trace_v2.html
  func trace(_ listener: StatementListener?) throws {
    let context = listener.map { Unmanaged.passUnretained($0).toOpaque() }
    try withHandle { handle in
      _ = sqlite3_trace_v2(
        handle, listener == nil ? 0 : UInt32(SQLITE_TRACE_STMT),
        { _, context, statement, text in
          guard let context, let statement, let text else { return 0 }
          let listener = Unmanaged<StatementListener>.fromOpaque(context).takeUnretainedValue()
          let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
          // SQLite reports the statements of a trigger as comments.
          guard !sql.hasPrefix("--"), let expanded = sqlite3_expanded_sql(OpaquePointer(statement)) else {
            listener.note(sql)
            return 0
          }
          defer { sqlite3_free(expanded) }
          listener.note(String(cString: expanded))
          return 0
        }, context)
    }
  }
}
