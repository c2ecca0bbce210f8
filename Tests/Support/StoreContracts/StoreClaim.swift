import Foundation
import Posts
import Storage

/// All facets of a store.
public typealias WholeStore = PostLists & FeedRecords & PullRecords & GapRecords & PictureQueue & PersonalChanges
  & HarvestRecords & RecheckQueue & BudgetRecords & StoreCare

/// A new library, empty.
public struct NewLibrary {
  /// Its store.
  public let store: any WholeStore
  /// The same library, as another process has it open.
  public let other: any WholeStore

  /// A library that is open twice.
  public init(store: any WholeStore, other: any WholeStore) { (self.store, self.other) = (store, other) }
}

/// One sentence of what a facet promises, and how it is checked. A store keeps a facet's contract if all its claims hold.
public struct StoreClaim: Sendable, CustomStringConvertible {
  /// The sentence.
  public let description: String
  /// Checks it against a new library.
  ///
  /// - Throws: `BrokenClaim`, or what the store throws.
  public let check: @Sendable (NewLibrary) async throws -> Void

  init(_ sentence: String, _ check: @escaping @Sendable (NewLibrary) async throws -> Void) {
    (description, self.check) = (sentence, check)
  }
}

/// What a store does instead of what it promises.
public struct BrokenClaim: Error, CustomStringConvertible {
  /// What was found, and where it was looked for.
  public let description: String
}

/// - Throws: `BrokenClaim` if the two differ.
func expect<Value: Equatable>(_ found: Value, _ wanted: Value, file: String = #fileID, line: Int = #line) throws {
  if found != wanted { throw BrokenClaim(description: "\(file):\(line): \(found) instead of \(wanted)") }
}

/// - Throws: `BrokenClaim` if there is no value.
func require<Value>(_ value: Value?, file: String = #fileID, line: Int = #line) throws -> Value {
  guard let value else { throw BrokenClaim(description: "\(file):\(line): nothing") }
  return value
}

/// - Throws: `BrokenClaim` if `body` throws nothing, or another error.
func expect(
  throws wanted: StorageError, file: String = #fileID, line: Int = #line, _ body: () throws -> Void
) throws {
  do { try body() } catch let error as StorageError { return try expect(error, wanted, file: file, line: line) }
  throw BrokenClaim(description: "\(file):\(line): no error instead of \(wanted)")
}
