import Foundation
import Posts
import Storage

/// A new library, empty.
public struct NewLibrary: Sendable {
  /// Its store.
  public let store: Store
  /// The same library, as another process has it open.
  public let other: Store
  /// Opens the library that a loss of power at this moment would leave: everything that is not durable yet is lost.
  private let afterPowerLoss: @Sendable () throws -> Store

  /// A library that is open twice.
  ///
  /// - Parameters:
  ///   - store: The library's store.
  ///   - other: The same library, as another process has it open.
  ///   - afterPowerLoss: Opens the library that a loss of power at the moment of the call would leave, and loses all
  ///     that the machine may lose then.
  public init(store: Store, other: Store, afterPowerLoss: @escaping @Sendable () throws -> Store) {
    (self.store, self.other, self.afterPowerLoss) = (store, other, afterPowerLoss)
  }

  /// Reads from what a loss of power at this moment would leave.
  func leftByPowerLoss<Value>(_ read: (Store) throws -> Value) throws -> Value {
    let left = try afterPowerLoss()
    defer { left.close() }
    return try read(left)
  }
}

/// One sentence of what a store promises, and how it is checked. An engine keeps a contract if all its claims hold.
public struct StoreClaim: Sendable, CustomStringConvertible {
  /// The promises of every store, subject by subject.
  public static let all = [
    ListsContract.claims, SearchContract.claims, FiltersContract.claims, TransferContract.claims,
    OverviewsContract.claims,
    FeedsContract.claims, PullsContract.claims, GapsContract.claims, PicturesContract.claims,
    PictureLimitsContract.claims,
    ImportsContract.claims, PersonalChangesContract.claims, MarksContract.claims, HidingContract.claims,
    RulesContract.claims, SharesContract.claims, HarvestsContract.claims, RechecksContract.claims,
    BudgetsContract.claims, CareContract.claims, SessionContract.claims, InspectionContract.claims,
    PictureTextContract.claims, TwinsContract.claims, FactsContract.claims,
    ModelsContract.claims,
  ].flatMap(\.self)

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
