import Blobs
import PostgreSQL
import Rows

// Search by meaning on the server, by its extension pgvector.

extension Database {
  /// Whether the server compares embeddings.
  var comparesEmbeddings: Bool {
    get throws {
      guard engine == .postgresql else { return false }
      return try hasRow(
        "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('picture_vector') AND attname = 'direction'")
    }
  }
}

extension Store {
  /// Has the server compare embeddings from now on, by columns that it computes itself, whatever version of the program
  /// writes. Until it has computed them nobody else writes, and a search by meaning that waits for it may find nothing.
  ///
  /// - Parameter onStart: Called before it computes.
  /// - Returns: Whether it did not so before.
  /// - Throws: `StorageError` if it cannot, or if the login does not own the library.
  public func compareOnServer(onStart: () -> Void = {}) throws(StorageError) -> Bool {
    guard try !read({ try $0.comparesEmbeddings }) else { return false }
    try alone { db in
      do { try db.execute(Self.extensionScript) } catch let error as PostgreSQLError
        where ["0A000", "58P01", "42501", "3F000"].contains(error.state)
      {
        throw StorageError.unsuitable(path: path, .noVectors)
      }
      onStart()
      do { try db.execute(Self.directionScript) } catch let error as PostgreSQLError where error.state == "42704" {
        // An extension that is older than the type.
        throw StorageError.unsuitable(path: path, .noVectors)
      }
    }
    return true
  }

  // Not in the schema of the library: dumps of that one hold no extension, and could not be restored.
  private static let extensionScript = "CREATE EXTENSION IF NOT EXISTS vector SCHEMA public"

  /// Half precision holds the steps exactly, in half of the room. Bodies that are parsed now find the extension's names in any
  /// session. A row whose direction stood outside of its page would take twice as long to read.
  private static let directionScript = """
    SET LOCAL lock_timeout = '10s';
    LOCK TABLE media.turn IN EXCLUSIVE MODE;
    LOCK TABLE media.picture_vector, media.text_vector IN ACCESS EXCLUSIVE MODE;
    SELECT set_config('search_path', 'media, ' || CAST(CAST(extnamespace AS regnamespace) AS text), true)
    FROM pg_extension WHERE extname = 'vector';
    CREATE OR REPLACE FUNCTION media.direction(vector bytea) RETURNS halfvec IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN length(vector) BETWEEN 1 AND \(Embedding.mostDimensions) THEN CAST(ARRAY(
      SELECT (get_byte(vector, i) # 128) - 128 FROM generate_series(0, length(vector) - 1) i) AS halfvec) END;
    CREATE OR REPLACE FUNCTION media.inner_product(one halfvec, other halfvec) RETURNS double precision
    IMMUTABLE STRICT PARALLEL SAFE RETURN -(one <#> other);
    ALTER TABLE media.picture_vector SET (toast_tuple_target = 8160);
    ALTER TABLE media.text_vector SET (toast_tuple_target = 8160);
    ALTER TABLE media.picture_vector
      ADD COLUMN IF NOT EXISTS direction halfvec GENERATED ALWAYS AS (media.direction(vector)) STORED;
    ALTER TABLE media.text_vector
      ADD COLUMN IF NOT EXISTS direction halfvec GENERATED ALWAYS AS (media.direction(vector)) STORED
    """
}
