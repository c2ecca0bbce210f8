import CPostgreSQL

/// The functions of libpq, loaded at the first connection.
///
/// Unchecked, because a pointer is not `Sendable`. Its table is written before anything reads it, and never changed or freed.
struct Driver: @unchecked Sendable {
  let shim: UnsafePointer<PQShim>

  private static let loaded = pq_shim_open().map(Driver.init)

  private init(_ shim: UnsafePointer<PQShim>) { self.shim = shim }

  /// - Throws: `PostgreSQLError.noDriver` if libpq cannot be loaded.
  static func load() throws(PostgreSQLError) -> Driver {
    guard let loaded else { throw .noDriver }
    return loaded
  }

  var call: PQShim { shim.pointee }
}
