import Foundation
import Posts
import Storage

/// What a store promises of gaps.
public enum GapsContract {
  /// The gap above an interval, whose posts 16 to 20 the server then lost: a pull from 30 down to 11 met none of them.
  private static func passed(in library: NewLibrary) throws -> Gap {
    try library.pull([page((16...20).reversed())])
    try library.pull([page((26...30).reversed()), page((21...25).reversed()), page((11...15).reversed())])
    return try require(try library.store.gaps(of: cats, isRunning: { _ in false }).first { $0.below == "20" })
  }

  /// The claims.
  public static let claims = [
    StoreClaim("what lies between two pulls that do not touch is a gap") { library in
      try library.pull([page([3, 2, 1])])
      try library.pull([page([9, 8])])
      try expect(try library.innerGaps(), ["8 3"])
    },
    StoreClaim("pulls that touch leave no gap") { library in
      try library.pull([page([3, 2, 1])])
      try library.pull([page([9, 8]), page([7, 3, 2])])
      try expect(try library.innerGaps(), [])
    },
    StoreClaim("one known post inside a page closes no gap") { library in
      try library.pull([page([3, 2, 1])])
      try library.pull([page([9, 3, 8])])
      try expect(try library.innerGaps().isEmpty, false)
    },
    StoreClaim("gaps belong to their feed") { library in
      try library.pull([page([3])])
      try library.pull([page([9])])
      try expect(try library.innerGaps(of: dogs), [])
      try expect(try library.store.gaps(of: nil, isRunning: { _ in false }).filter { $0.feed == cats }.isEmpty, false)
    },
    StoreClaim("a fill from above closes its gap") { library in
      try library.pull([page([3, 2, 1])])
      try library.pull([page([9, 8])])
      let gap = try require(try library.store.gaps(of: cats, isRunning: { _ in false }).first { $0.below != nil })
      let (pull, edge, _) = try require(try library.store.beginFill(of: gap, upwards: false, halfPage: 1, now: noon))
      try expect(edge.id, "8")
      _ = try library.store.save(page([7, 6, 5, 4, 3, 2]), in: pull, pictures: true, now: noon)
      try library.store.finishPull(pull, reached: true, now: noon)
      try expect(try library.other.isOpen(gap), false)
      try expect(try library.innerGaps(), [])
    },
    StoreClaim("a fill from below closes its gap") { library in
      try library.pull([page([3, 2, 1])])
      try library.pull([page([9, 8])])
      let gap = try require(try library.store.gaps(of: cats, isRunning: { _ in false }).first { $0.below != nil })
      let (pull, _, anchor) = try require(try library.store.beginFill(of: gap, upwards: true, halfPage: 1, now: noon))
      let (_, result) = try library.store.save(
        page([9, 8, 7, 6, 5, 4, 3]), above: anchor, in: pull, pictures: true, now: noon)
      try expect(result, .joined)
      try expect(try library.innerGaps(), [])
    },
    StoreClaim("a gap that another process closed cannot be filled again") { library in
      try library.pull([page([3, 2, 1])])
      try library.pull([page([9, 8])])
      let gap = try require(try library.other.gaps(of: cats, isRunning: { _ in false }).first { $0.below != nil })
      try library.pull([page([9, 8, 7, 6, 5, 4, 3, 2])])
      try expect(try library.other.isOpen(gap), false)
      try expect(try library.other.beginFill(of: gap, upwards: false, halfPage: 1, now: noon) == nil, true)
    },
    StoreClaim("what a running pull has yet to read is not missing") { library in
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 4), now: noon)
      _ = try library.store.save(page([9, 8]), in: pull, pictures: true, now: noon)
      try expect(try library.other.gaps(of: cats, isRunning: { $0 == cats }), [])
      try expect(try library.other.gaps(of: cats, isRunning: { _ in false }).map(\.kind), [.unfinished])
    },
    StoreClaim("a gap is filled from the feed's top as long as it exists") { library in
      try library.pull([page([3, 2, 1])])
      try library.pull([page([9, 8])])
      let gap = try require(try library.other.gaps(of: cats, isRunning: { _ in false }).first { $0.below != nil })
      let pull = try require(try library.store.beginFillFromTop(of: gap, now: noon))
      try expect(pull.isFill, true)
      _ = try library.store.save(page([9, 8, 7, 6]), in: pull, pictures: true, now: noon)
      _ = try library.store.save(page([5, 4, 3]), in: pull, pictures: true, now: noon)
      try library.store.finishPull(pull, reached: true, now: noon)
      try expect(try library.innerGaps(), [])
      try expect(try library.store.beginFillFromTop(of: gap, now: noon) == nil, true)
    },
    StoreClaim("an interval whose posts are gone upstream is passed where the server continues above it") { library in
      let gap = try passed(in: library)
      try expect(try library.other.idsOfPassed(gap).first, "20")
      // Posts of the lower interval prove that the server still has it.
      try expect(try library.store.closePassed(gap, by: ["19", "18"]), false)
      try expect(try library.store.closePassed(gap, by: ["15", "14"]), true)
      try expect(try library.innerGaps(), [])
      try expect(try library.other.isOpen(gap), false)
    },
    StoreClaim("an interval that dates do not show to be passed raises no question") { library in
      try library.pull([page([3, 2, 1])])
      try library.pull([page([9, 8])])
      let gap = try require(try library.store.gaps(of: cats, isRunning: { _ in false }).first { $0.below != nil })
      try expect(try library.other.idsOfPassed(gap), [])
    },
  ]
}
