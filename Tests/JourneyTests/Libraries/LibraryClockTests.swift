import Blobs
import Folders
import Foundation
import MediaLibrary
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
    let machine = { @Sendable in Date().addingTimeInterval(hours.withLock(\.self) * 3600) }
    let clock = LibraryClock(machine)
    // The second time it is set while a worker runs.
    for wrong in [-1.0, 1] {
      hours.withLock { $0 = wrong }
      #expect(abs(clock.now().timeIntervalSinceNow) > 3000)
      try clock.follow(leases)
      #expect(abs(clock.now().timeIntervalSinceNow) < 600)
    }
  }
  @Test func `what another program writes into a shared library has the time of its server`() throws {
    let address = try #require(LibraryAddress(try PostgreSQLServer.shared().newURI("blobs=/nowhere")))
    let hours = Mutex(2.0)
    let scratch = try Scratch()
    let library = try Library(at: address, blobs: DiskBlobs(library: scratch.path), folder: scratch.path) {
      Date().addingTimeInterval(hours.withLock(\.self) * 3600)
    }
    defer { library.close() }
    for wrong in [2.0, -3] {
      hours.withLock { $0 = wrong }
      try library.correctClock()
      let id = try library.add(caption: "a heron")
      let createdAt = try #require(try library.store.post(id)).post.createdAt
      #expect(abs(createdAt.timeIntervalSinceNow) < 600, "\(createdAt)")
    }
  }
}
