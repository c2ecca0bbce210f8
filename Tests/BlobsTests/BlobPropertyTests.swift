import Folders
import Foundation
import PropertyTesting
import Testing

@testable import Blobs

struct BlobPropertyTests {
  @Test(arguments: DiskBlobs.DraftStyle.allCases)
  func `after any actions the folder contains what a dictionary would`(style: DiskBlobs.DraftStyle) throws {
    let seed = UInt64.random(in: 0 ... .max)
    var dice = Dice(state: seed)
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path, style: style)
    var model: [BlobID: [UInt8]] = [:]
    for _ in 0..<60 {
      var batch: [(draft: any BlobReceiving, bytes: [UInt8])] = []
      for _ in 0..<Int.random(in: 0...4, using: &dice) {
        let count = [0, 1, 4095, 65_536, 140_000].randomElement(using: &dice)!
        // Few variants of each length, so that the same bytes repeat. Within one, no two pieces have the same bytes.
        let (kind, period) = (Int.random(in: 0...2, using: &dice), 251)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: ($0 + kind) % period &+ $0 >> 14) }
        let draft = try blobs.draft(
          of: bytes, inPiecesOf: [7_000, 16_383, 16_384, 200_000].randomElement(using: &dice)!)
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: draft.discard()
        case 1:
          try draft.reset()
          try bytes.withUnsafeBytes { try draft.write($0) }
          batch.append((draft, bytes))
        default: batch.append((draft, bytes))
        }
      }
      let held = try blobs.keep(batch.map(\.draft))
      for (kept, entry) in zip(held, batch) {
        #expect(kept.wasStored == (model[kept.id] != nil), "seed \(seed)")
        model[kept.id] = entry.bytes
      }
    }
    #expect(scratch.files == Set(model.keys.map(\.path)), "seed \(seed)")
    for (id, bytes) in model { #expect(try blobs.read(id) == bytes, "seed \(seed)") }
  }
}
