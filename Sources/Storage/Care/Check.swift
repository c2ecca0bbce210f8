import Blobs
import Foundation
import Posts

/// A check of a library and of its pictures, and what is done about what it finds.
public struct LibraryCheck: Sendable {
  let store: Store
  let blobs: DiskBlobs
  /// When it began: what comes later is not judged.
  let start: Date
  /// Whether bytes may be on their way that no row knows yet.
  let isPulling: @Sendable () -> Bool

  /// A check from its parts. It writes nothing until it is told to repair, and others may write meanwhile;
  /// `isPulling` tells whether another process may be bringing pictures.
  public init(
    store: Store,
    blobs: DiskBlobs,
    now: Date,
    isPulling: @escaping @Sendable () -> Bool = { false }
  ) {
    self.store = store
    self.blobs = blobs
    start = now
    self.isPulling = isPulling
  }

  /// Looks through everything: every row, and every byte of every picture. Each thing that is not in order is handed to
  /// `found` as it comes, with whether it is mended.
  ///
  /// With `repair`, which wants the library's pictures for itself, what can be mended without losing knowledge is:
  /// wrong bytes are moved to `quarantine/`, and what showed them is to be fetched anew. Where more pictures have no file
  /// than bad luck explains, or the `blobs` folder is not there, none is given up unless they are said to be `lost`.
  /// With `deep` the verbatim answers are unpacked, too.
  public func run(
    repair: Bool = false,
    deep: Bool = false,
    lost: Bool = false,
    onStep: (CheckStep) -> Void = { _ in },
    found: (Finding, _ isMended: Bool) throws -> Void
  ) throws -> CheckResult {
    var result = CheckResult()
    let report = { (finding: Finding, isMended: Bool) in
      if finding.isFault {
        result.faults += 1
        if !isMended { result.remaining += 1 }
        if finding.kind == .damaged, !isMended { result.isDamaged = true }
        if finding.kind == .reference, isMended, let post = finding.post { result.postsToFetch.append(post) }
      }
      try found(finding, isMended)
    }
    let audits = Store.audits + (deep ? Store.deepAudits : [])
    // Where what one mends may change what the next finds, they go one after another.
    let round = repair ? nil : AuditRound(audits, of: store)
    defer { round?.end() }
    for (index, audit) in audits.enumerated() {
      onStep(.rows(audit.name, done: index, known: audits.count))
      if let round {
        try tell(round.findings(of: index), report)
      } else {
        try run(audit, report)
      }
      // What a damaged file says of the rest means nothing.
      if result.isDamaged { return result }
    }
    if repair { try store.fillDigests() }
    result.postsToFetch += try BlobCheck(check: self, repair: repair, lost: lost).run(onStep: onStep, report: report)
    let row = try store.read { db in
      try db.row(
        """
        SELECT (SELECT count(*) FROM post), count(*), coalesce(sum(bytes), 0) FROM blob
        WHERE \(BlobRow.isShown) OR NOT \(BlobRow.isGivenUp)
        """
      )
    }
    if let row { (result.posts, result.blobs, result.blobBytes) = (row[0], row[1], row[2]) }
    return result
  }

  private func tell(_ findings: [Finding], _ report: (Finding, Bool) throws -> Void) throws {
    for finding in findings { try report(finding, false) }
  }

  private func run(_ audit: StoreAudit, _ report: (Finding, Bool) throws -> Void) throws {
    let findings = try store.findings(of: audit)
    guard !findings.isEmpty, let mend = audit.mend else { return try tell(findings, report) }
    let mending = Mending(now: start) { try blobs.setAside($0) }
    do throws(StorageError) {
      try store.writeDurably { db in try mend(db, mending) }
    } catch {
      guard case .damaged = error else { throw error }
    }
    let left = Set(try store.findings(of: audit))
    for finding in findings { try report(finding, !left.contains(finding)) }
    for finding in left.subtracting(findings) { try report(finding, false) }
  }
}
