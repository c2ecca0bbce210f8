import CSQLite
import Folders
import Foundation
import Rows
import SQLite
import Testing

@testable import Storage

/// What users see of an error of SQLite or of a row.
@Suite struct ErrorMappingTests {
  @Test func `each error says what it means for the library`() {
    #expect(StorageError(SQLiteError(SQLITE_BUSY), path: "x") == .busy(path: "x"))
    #expect(StorageError(SQLiteError(SQLITE_CORRUPT, "so"), path: "x") == .damaged(path: "x", reason: "so"))
    #expect(StorageError(SQLiteError.closed, path: "x") == .io(path: "x", reason: "the library is closed"))
    let mismatch = ColumnError(column: "width", of: "attachment", holds: .text("wide"), inPlaceOf: Int?.self)
    let words = "column width of attachment holds TEXT in place of Optional<Int>"
    #expect(StorageError(mismatch as any Error, path: "x") == .damaged(path: "x", reason: words))
    #expect(StorageError(CancellationError(), path: "x") == .io(path: "x", reason: "CancellationError()"))
  }

  @Test func `a library whose folder is renamed is read on, and never one that took its name`() throws {
    let scratch = try Scratch()
    let (old, new) = ("\(scratch.path)/old", "\(scratch.path)/new")
    #expect(mkdir(old, 0o700) == 0)
    let store = try Store.open(library: old, now: noon)
    defer { store.close() }
    try store.set("view", to: "grid")
    #expect(rename(old, new) == 0)
    #expect(mkdir(old, 0o700) == 0)
    try Store.open(library: old, now: noon).close()
    #expect(try store.setting("view") == "grid")
    try store.set("view", to: "list")
    #expect(try store.setting("view") == "list")
  }
}
