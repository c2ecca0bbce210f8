import Folders
import PostgreSQLServer
import StoreContracts
import Synchronization
import Testing

@testable import Storage

/// The store keeps its promises, whichever engine has the rows.
struct ContractTests {
  private static let template = Mutex<String?>(nil)

  @Test(arguments: [Engine.sqlite, .postgresql], StoreClaim.all)
  func `a store keeps its promise`(engine: Engine, claim: StoreClaim) async throws {
    switch engine {
    case .sqlite: try await holdOnSQLite(claim)
    case .postgresql: try await holdOnPostgreSQL(claim)
    }
  }

  @Test(arguments: CareContract.copyClaims)
  func `a store in a file keeps its promises of copies`(claim: StoreClaim) async throws {
    try await holdOnSQLite(claim)
  }

  private func holdOnSQLite(_ claim: StoreClaim) async throws {
    let scratch = try Scratch()
    let disk = try UnreliableDisk(scratch)
    let left = Mutex<[Scratch]>([])
    let open = { @Sendable (folder: Scratch) throws in try Store.open(library: folder.path, now: .now) }
    let stores = try (0..<2).map { _ in try open(scratch) }
    let library = NewLibrary(store: stores[0], other: stores[1]) {
      let folder = try disk.afterPowerLoss()
      left.withLock { $0.append(folder) }
      return try open(folder)
    }
    try await claim.check(library)
    for store in stores { store.close() }
    withExtendedLifetime(scratch) {}
  }

  private func holdOnPostgreSQL(_ claim: StoreClaim) async throws {
    let server = try PostgreSQLServer.shared()
    let template = try Self.template.withLock { template in
      let made = try template ?? server.template { try Store.open($0, shownAs: "the template", for: .writing).close() }
      template = made
      return made
    }
    let address = try server.newDatabase(from: template)
    let open = { @Sendable () throws -> Store in
      try Store.open(address, shownAs: "postgresql://test", for: .writing)
    }
    let (one, other) = (try open(), try open())
    defer {
      one.close()
      other.close()
    }
    try await claim.check(NewLibrary(store: one, other: other, afterPowerLoss: open))
  }
}
