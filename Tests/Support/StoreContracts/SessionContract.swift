import Foundation
import Posts
import Storage

/// What a store promises until it is closed.
public enum SessionContract {
  /// The claims.
  public static let claims = [
    StoreClaim("a closed store says so, and refuses to read and to write") { library in
      try library.pull([post(1)])
      try expect(library.store.isClosed, false)
      library.store.close()
      library.store.close()
      try expect(library.store.isClosed, true)
      try expect((try? library.store.stats()) == nil, true)
      try expect((try? library.store.set("colour", to: "blue")) == nil, true)
      try expect(library.other.isClosed, false)
      try expect(try library.other.setting("colour"), nil)
      try expect(try library.captions(), ["post 1"])
    },
    StoreClaim("streams end when their store is closed") { library in
      var changes = library.store.changes(startsWithEverything: true).makeAsyncIterator()
      var readings = library.store.observe(PostListQuery(), around: nil, before: 0, after: 9).makeAsyncIterator()
      try expect(try await changes.next(), .everything)
      try expect(try await readings.next()?.rows, [])
      library.store.close()
      try expect(try await changes.next() == nil, true)
      try expect(try await readings.next() == nil, true)
    },
    StoreClaim("what was written is durable when the last process has closed the library") { library in
      try library.pull([post(2), post(1)])
      library.other.close()
      library.store.close()
      try expect(try library.leftByPowerLoss { try $0.posts(PostQuery()).map(\.caption) }, ["post 2", "post 1"])
    },
  ]
}
