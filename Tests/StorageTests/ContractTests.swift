import Folders
import Storage
import StoreContracts
import Testing

/// The store on SQLite keeps the contract of each facet.
struct ContractTests {
  private func hold(_ claim: StoreClaim) async throws {
    let scratch = try Scratch()
    let stores = try (0..<2).map { _ in try Store.open(library: scratch.path, now: .now) }
    try await claim.check(NewLibrary(store: stores[0], other: stores[1]))
    for store in stores { store.close() }
    withExtendedLifetime(scratch) {}
  }

  @Test(arguments: PostListsContract.claims) func `lists are read as promised`(claim: StoreClaim) async throws {
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
}
