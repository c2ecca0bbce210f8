import Foundation
import HTTP
import PostgreSQLServer
import Storage
import Synchronization
import Testing

@testable import media

@Suite struct LibraryClockTests {
  @Test func `machines whose clocks are an hour apart go by the clock of their library's server`() throws {
    let address = try #require(LibraryAddress(try PostgreSQLServer.shared().newURI("blobs=/nowhere")))
    let store = try Store.open(library: address)
    defer { store.close() }
    let leases = try #require(store.leases)
    let hours = Mutex(0.0)
    let machine = TimeSource(
      now: { Date().addingTimeInterval(hours.withLock(\.self) * 3600) }, sleep: { _ in }, chance: { 0 })
    let clock = LibraryClock(machine)
    // The second time it is set while a worker runs.
    for wrong in [-1.0, 1] {
      hours.withLock { $0 = wrong }
      #expect(abs(clock.time.now().timeIntervalSinceNow) > 3000)
      try clock.follow(leases)
      #expect(abs(clock.time.now().timeIntervalSinceNow) < 600)
    }
  }
}
