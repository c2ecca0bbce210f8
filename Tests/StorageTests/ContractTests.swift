import Folders
import RelayedStore
import Storage
import StoreContracts
import Synchronization
import Testing

/// The store on SQLite keeps the contract of each facet, also for who knows only the facets.
struct ContractTests {
  /// The stores that are held to the contract.
  enum Engine: CaseIterable {
    case sqlite
    /// The same behind a store that knows only the facets.
    case relayed

    func open(_ folder: Scratch) throws -> any LibraryStore {
      let store = try Store.open(library: folder.path, now: .now)
      return self == .sqlite ? store : RelayedStore(store)
    }
  }

  private func hold(_ claim: StoreClaim, _ engine: Engine) async throws {
    let scratch = try Scratch()
    let disk = try UnreliableDisk(scratch)
    let left = Mutex<[Scratch]>([])
    let stores = try (0..<2).map { _ in try engine.open(scratch) }
    let library = NewLibrary(store: stores[0], other: stores[1]) {
      let folder = try disk.afterPowerLoss()
      left.withLock { $0.append(folder) }
      return try engine.open(folder)
    }
    try await claim.check(library)
    for store in stores { store.close() }
    withExtendedLifetime(scratch) {}
  }

  @Test(arguments: PostListsContract.claims, Engine.allCases) func `lists are read as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: TransferContract.claims, Engine.allCases) func `records are transferred as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: OverviewsContract.claims, Engine.allCases) func `pages are counted as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: FeedRecordsContract.claims, Engine.allCases) func `feeds are known as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: PullRecordsContract.claims, Engine.allCases) func `pulls are recorded as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: GapRecordsContract.claims, Engine.allCases) func `gaps are found and closed as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: PictureQueueContract.claims, Engine.allCases) func `pictures wait as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: ImportRecordsContract.claims, Engine.allCases) func `imports are taken in as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: PersonalChangesContract.claims, Engine.allCases) func `a person's changes last as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: HarvestRecordsContract.claims, Engine.allCases) func `harvests are recorded as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: RecheckQueueContract.claims, Engine.allCases) func `rechecks are due as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: BudgetRecordsContract.claims, Engine.allCases) func `budgets are shared as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: StoreCareContract.claims + StoreCareContract.copyClaims, Engine.allCases)
  func `the library is kept small as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }

  @Test(arguments: StoreSessionContract.claims, Engine.allCases) func `a store is open until it is closed, as promised`(
    claim: StoreClaim, engine: Engine
  ) async throws {
    try await hold(claim, engine)
  }
}
