import PostgreSQLServer
import StoreContracts
import Synchronization
import Testing

@testable import Storage

/// The store on PostgreSQL keeps the contract of each facet.
struct PostgreSQLContractTests {
  private static let template = Mutex<String?>(nil)

  /// A connection string of a new library.
  private func newLibrary() throws -> String {
    let server = try PostgreSQLServer.shared()
    let template = try Self.template.withLock { template in
      let made = try template ?? server.template { try Store.open($0, shownAs: "the template", for: .writing).close() }
      template = made
      return made
    }
    return try server.newDatabase(from: template)
  }

  private func hold(_ claim: StoreClaim) async throws {
    let address = try newLibrary()
    let open = { @Sendable () throws -> any LibraryStore in
      try Store.open(address, shownAs: "postgresql://test", for: .writing)
    }
    let (one, other) = (try open(), try open())
    defer {
      one.close()
      other.close()
    }
    try await claim.check(NewLibrary(store: one, other: other, afterPowerLoss: open))
  }

  @Test(arguments: PostListsContract.claims) func `lists are read as promised`(claim: StoreClaim) async throws {
    try await hold(claim)
  }

  @Test(arguments: TransferContract.claims) func `records are transferred as promised`(claim: StoreClaim) async throws {
    try await hold(claim)
  }

  @Test(arguments: OverviewsContract.claims) func `pages are counted as promised`(claim: StoreClaim) async throws {
    try await hold(claim)
  }

  @Test(arguments: FeedRecordsContract.claims) func `feeds are known as promised`(claim: StoreClaim) async throws {
    try await hold(claim)
  }

  @Test(arguments: PullRecordsContract.claims) func `pulls are recorded as promised`(claim: StoreClaim) async throws {
    try await hold(claim)
  }

  @Test(arguments: GapRecordsContract.claims) func `gaps are found and closed as promised`(
    claim: StoreClaim
  ) async throws {
    try await hold(claim)
  }

  @Test(arguments: PictureQueueContract.claims) func `pictures wait as promised`(claim: StoreClaim) async throws {
    try await hold(claim)
  }

  @Test(arguments: ImportRecordsContract.claims) func `imports are taken in as promised`(
    claim: StoreClaim
  ) async throws {
    try await hold(claim)
  }

  @Test(arguments: PersonalChangesContract.claims) func `a person's changes last as promised`(
    claim: StoreClaim
  ) async throws {
    try await hold(claim)
  }

  @Test(arguments: HarvestRecordsContract.claims) func `harvests are recorded as promised`(
    claim: StoreClaim
  ) async throws {
    try await hold(claim)
  }

  @Test(arguments: RecheckQueueContract.claims) func `rechecks are due as promised`(claim: StoreClaim) async throws {
    try await hold(claim)
  }

  @Test(arguments: BudgetRecordsContract.claims) func `budgets are shared as promised`(
    claim: StoreClaim
  ) async throws {
    try await hold(claim)
  }

  @Test(arguments: StoreCareContract.claims) func `the library is kept small as promised`(
    claim: StoreClaim
  ) async throws {
    try await hold(claim)
  }

  @Test(arguments: StoreSessionContract.claims) func `a store is open until it is closed, as promised`(
    claim: StoreClaim
  ) async throws {
    try await hold(claim)
  }
}
