import Filters
import Foundation
import Posts
import Storage

// Changes that are taken back after others went on.

extension MarksContract {
  private static let elsewhere = Marker(machine: "laptop", program: .command)
  private static let list = Marker(machine: "desk", program: .terminal)

  static let undoingAmongOthers = [
    StoreClaim("what somebody said later stays, also where it is the same again") { library in
      let store = library.store
      let ids = try library.pull([post(1)]).posts
      func rate(_ ratings: Int..., by marker: Marker) throws {
        for rating in ratings { try store.mark(ids, [.rating(rating)], by: marker, now: noon) }
      }
      func undo(keeping rating: Int) throws {
        try expect(try store.undo(by: person, now: noon)?.kept, 1)
        try expect(try library.other.posts(numbered: ids).map(\.marks.rating), [rating])
      }
      try rate(5, by: person)
      try rate(1, 5, by: elsewhere)
      try undo(keeping: 5)
      // A change that was undone is none.
      try rate(4, by: person)
      try rate(1, by: elsewhere)
      try store.undo(by: elsewhere, now: noon)
      try expect(try store.undo(by: person, now: noon)?.kept, 0)
      try expect(try library.other.posts(numbered: ids).map(\.marks.rating), [5])
      try rate(4, by: person)
      try rate(1, 4, 2, by: elsewhere)
      try store.undo(by: elsewhere, now: noon)
      try undo(keeping: 4)
      // A copy brings no change.
      try rate(3, by: person)
      try store.beginMerge()
      var records: [LibraryRecord] = []
      try store.eachRecord(of: nil, raw: false) { record in
        guard case .post(var post) = record else { return }
        post.state?[.ratingStamp] = .text("1 2099-01-01T00:00:00.000Z 00000000 far")
        records.append(.post(post))
      }
      try expect(try store.merge(records, stored: [], dryRun: false, now: noon).refused, [:])
      try undo(keeping: 3)
      try store.delete(ids, by: person, now: noon)
      try store.restore(ids, by: elsewhere, now: noon)
      try store.delete(ids, by: elsewhere, now: noon)
      try expect(try store.undo(by: person, now: noon)?.kept, 1)
      try expect(try library.captions(), [])
    },
    StoreClaim("a delete and a restore are taken back only where the post is as they left it") { library in
      let store = library.store
      let ids = try library.pull([post(2), post(1)]).posts
      let isGone = { () throws -> Bool in try library.captions().isEmpty }
      // What is done by no marker is no change, and is seen nevertheless.
      try store.delete(ids, by: person, now: noon)
      try store.restore([ids[0]], now: noon)
      try store.delete([ids[0]], now: noon)
      let undone = try store.undo(by: person, now: noon)
      try expect(undone?.posts, [ids[1]])
      try expect(undone?.kept, 1)
      try expect(try library.captions(), ["post 1"])
      try store.restore(ids, by: person, now: noon)
      for _ in 0..<2 {
        try store.delete(ids, now: noon + 60)
        try store.restore(ids, now: noon + 60)
      }
      try expect(try store.undo(by: person, now: noon)?.kept, 1)
      try expect(try isGone(), false)
      // The list undoes by number.
      let change = try store.delete(ids, by: list, now: noon + 120).change
      try store.restore([ids[0]], by: person, now: noon + 180)
      try store.delete([ids[0]], by: person, now: noon + 180)
      try expect(try store.undo(change, by: list, now: noon + 240)?.posts, [ids[1]])
    },
    StoreClaim("deletes and restores are undone one after the other") { library in
      let store = library.store
      let ids = try library.pull([post(1)]).posts
      for _ in 0..<2 {
        try store.delete(ids, by: person, now: noon)
        try store.restore(ids, by: person, now: noon)
      }
      for count in [0, 1, 0, 1] {
        try expect(try store.undo(by: person, now: noon)?.posts, ids)
        try expect(try library.captions().count, count)
      }
      // What somebody else took back of it, too, is as it was.
      for other in [elsewhere, list] {
        try store.delete(ids, by: person, now: noon)
        let change = try store.restore(ids, by: other, now: noon + 60).change
        try expect(try store.undo(change, by: other, now: noon + 120)?.posts, ids)
        try expect(try store.undo(by: person, now: noon + 180)?.posts, ids)
      }
    },
    StoreClaim("what somebody hid later, or made of a rule or a saved search, stays, and is counted") { library in
      let store = library.store
      try library.pull([post(1)])
      try store.hide([], [.tag("cats")], by: person, now: noon)
      for isHidden in [false, true] { try store.hide([], [.tag("cats")], isHidden, by: elsewhere, now: noon) }
      try expect(try store.undo(by: person, now: noon)?.kept, 1)
      try expect(try library.other.hiddenNames().count, 1)
      func make(_ filters: String..., by marker: Marker) throws {
        for filter in filters {
          try store.save(Rule(name: "r", filter: filter, actions: [.notice]), by: marker, now: noon)
          try store.save(try Filter(parsing: filter), as: "s", by: marker, now: noon)
        }
      }
      for ends in [["tag:b"], ["tag:b", "tag:a"]] {
        try make("tag:a", by: person)
        for end in ends { try make(end, by: elsewhere) }
        for _ in 0..<2 { try expect(try store.undo(by: person, now: noon)?.kept, 1) }
        try expect(try library.other.rules().map(\.filter), [ends.last])
        try expect(try library.other.savedSearches().map(\.filter), [ends.last])
      }
    },
    StoreClaim("an album that has posts by now stays when its making is undone") { library in
      let store = library.store
      let ids = try library.pull([post(2), post(1)]).posts
      try store.createAlbum("Party", by: person, now: noon)
      try store.add([ids[1]], toAlbum: "Party", by: person, now: noon)
      for _ in 0..<2 { try store.undo(by: person, now: noon) }
      try expect(try library.other.albumNames(), [])
      try store.createAlbum("Party", by: person, now: noon)
      try store.add([ids[1], ids[0]], toAlbum: "Party", by: elsewhere, now: noon)
      try expect(try store.undo(by: person, now: noon)?.kept, 1)
      try expect(try library.other.posts(ofAlbum: "Party"), [ids[1], ids[0]])
    },
    StoreClaim("what was made with a new name since has the old one when a rename is undone") { library in
      let store = library.store
      let ids = try library.pull([post(1)]).posts
      func save(_ name: String, _ filter: String) throws {
        try store.save(try Filter(parsing: filter), as: name, by: elsewhere, now: noon)
      }
      try store.createAlbum("Xo", by: person, now: noon)
      try store.add(ids, toAlbum: "Xo", by: person, now: noon)
      try store.renameAlbum("Xo", to: "Yo", by: person, now: noon)
      try save("so", "-tag:none in:yo")
      try store.save(Rule(name: "r", filter: "in:Yo", actions: [.album("Yo")]), by: elsewhere, now: noon)
      try store.renameSearch("so", to: "too", by: person, now: noon)
      try save("up", "saved:too")
      // The filter stays as it is by now, the name does not.
      try save("too", "in:Yo")
      for _ in 0..<2 { try expect(try store.undo(by: person, now: noon)?.kept, 0) }
      try expect(try library.other.savedSearches().map(\.name), ["so", "up"])
      try expect(try library.other.savedSearches().map(\.filter), ["in:Xo", "saved:so"])
      try expect(try library.other.rules(), [Rule(name: "r", filter: "in:Xo", actions: [.album("Xo")])])
      try expect(try library.numbers("saved:up"), ids)
      // What somebody renamed since keeps its name.
      try store.renameAlbum("Xo", to: "Yo", by: person, now: noon)
      for (old, new) in [("Yo", "Zo"), ("Zo", "Yo")] { try store.renameAlbum(old, to: new, by: elsewhere, now: noon) }
      try expect(try store.undo(by: person, now: noon)?.kept, 1)
      try expect(try library.other.albumNames(), ["Yo"])
    },
    StoreClaim("a saved search comes back under a free name if another one has its own by now") { library in
      let store = library.store
      func save(_ name: String, _ filter: String, by marker: Marker) throws {
        try store.save(try Filter(parsing: filter), as: name, by: marker, now: noon)
      }
      func searches() throws -> [String] { try library.other.savedSearches().map { "\($0.name): \($0.filter)" } }
      try save("best", "tag:a", by: person)
      try store.deleteSearch("best", by: person, now: noon)
      try save("Best", "tag:b", by: elsewhere)
      try expect(try store.undo(by: person, now: noon)?.renamedSearches, ["best 2"])
      try expect(try searches(), ["Best: tag:b", "best 2: tag:a"])
      try store.renameSearch("best 2", to: "top", by: person, now: noon)
      try save("up", "saved:top", by: person)
      try save("best 2", "tag:c", by: elsewhere)
      try expect(try store.undo(by: person, now: noon)?.kept, 0)
      try expect(try store.undo(by: person, now: noon)?.renamedSearches, ["best 2 2"])
      try expect(try searches(), ["Best: tag:b", "best 2: tag:c", "best 2 2: tag:a"])
    },
  ]
}
