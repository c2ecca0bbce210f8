import Blobs
import FoundationEssentials

/// Checks a library and its pictures, and repairs what it finds.
public struct LibraryCheck: Sendable {
  let store: Store
  let blobs: any BlobStoring
  /// When it began. It ignores what changed later.
  let start: Date
  /// Whether files may exist whose rows are not written yet.
  let isPulling: @Sendable () -> Bool

  /// Creates a check of a library.
  ///
  /// - Parameters:
  ///   - store: The library's rows. Others may write meanwhile.
  ///   - blobs: The library's pictures.
  ///   - now: When the check begins.
  ///   - isPulling: Whether another process may be storing pictures.
  public init(
    store: Store,
    blobs: any BlobStoring,
    now: Date,
    isPulling: @escaping @Sendable () -> Bool = { false }
  ) {
    self.store = store
    self.blobs = blobs
    start = now
    self.isPulling = isPulling
  }

  /// Verifies every row, and every byte of every picture. It writes nothing unless it repairs.
  ///
  /// A repair fixes what it can without losing information. It moves wrong bytes to `quarantine/`, and their pictures
  /// are fetched again. If more pictures have no file than chance explains, or the `blobs` folder is missing, it gives
  /// up none.
  ///
  /// - Parameters:
  ///   - repair: Whether to repair. The caller must have locked the library's pictures.
  ///   - deep: Whether to decompress the verbatim answers, and to look for pictures that came without their end, too.
  ///   - lost: Whether to give up any number of pictures without a file.
  ///   - onStep: Receives the progress.
  ///   - found: Receives each finding, and whether it is repaired.
  /// - Returns: The totals.
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
    let audits = store.audits + (deep ? Store.deepAudits : [])
    // A repair may change what the next audit finds, so audits then run one after another.
    let round = repair ? nil : AuditRound(audits, of: store)
    defer { round?.end() }
    for (index, audit) in audits.enumerated() {
      onStep(.rows(audit.name, done: index, known: audits.count))
      if let round {
        try forward(round.findings(of: index), report)
      } else {
        try run(audit, report)
      }
      // A damaged file makes all further findings meaningless.
      if result.isDamaged { return result }
    }
    if repair { try store.fillDigests() }
    result.postsToFetch += try BlobCheck(check: self, repair: repair, deep: deep, lost: lost).run(
      onStep: onStep, report: report)
    try store.read { db in
      try db.row(
        """
        SELECT (SELECT count(*) FROM post) AS posts, count(*) AS blobs, coalesce(CAST(sum(bytes) AS bigint), 0) AS bytes FROM blob
        WHERE \(BlobRow.isStored)
        """
      ) { (result.posts, result.blobs, result.blobBytes) = try ($0["posts"], $0["blobs"], $0["bytes"]) }
    }
    return result
  }

  private func forward(_ findings: [Finding], _ report: (Finding, Bool) throws -> Void) throws {
    for finding in findings { try report(finding, false) }
  }

  private func run(_ audit: StoreAudit, _ report: (Finding, Bool) throws -> Void) throws {
    let findings = try store.findings(of: audit)
    guard !findings.isEmpty, let mend = audit.mend else { return try forward(findings, report) }
    let mending = Mending(now: start) { try blobs.appendToQuarantine($0) }
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

/// How a library is checked.
public struct CheckPlan: Sendable, Hashable {
  /// Whether to repair what is found. The caller must have locked the library's pictures.
  public var repair: Bool
  /// Whether to decompress the verbatim answers, and to look for pictures that came without their end, too.
  public var deep: Bool
  /// Whether a repair may give up any number of pictures without a blob.
  public var lost: Bool

  /// Creates a plan; by default one that repairs nothing.
  public init(repair: Bool = false, deep: Bool = false, lost: Bool = false) {
    (self.repair, self.deep, self.lost) = (repair, deep, lost)
  }
}

extension Store {
  /// Verifies everything that is stored, and every byte of every picture. It writes nothing unless it repairs.
  ///
  /// A repair fixes what it can without losing information. It moves wrong bytes to the quarantine of `blobs`, and their
  /// pictures are fetched again. If more pictures have no blob than chance explains, it gives up none.
  ///
  /// - Parameters:
  ///   - blobs: The library's pictures. Others may store some meanwhile.
  ///   - plan: How thorough the check is, and whether it repairs.
  ///   - now: When the check begins. It ignores what changes later.
  ///   - isPulling: Whether another process may be storing pictures, whose rows follow.
  ///   - onStep: Receives the progress.
  ///   - found: Receives each finding, and whether it is repaired. What it throws ends the check.
  /// - Returns: The totals.
  public func check(
    _ blobs: any BlobStoring,
    _ plan: CheckPlan,
    now: Date,
    isPulling: @escaping @Sendable () -> Bool,
    onStep: (CheckStep) -> Void,
    found: (Finding, _ isMended: Bool) throws -> Void
  ) throws -> CheckResult {
    try LibraryCheck(store: self, blobs: blobs, now: now, isPulling: isPulling).run(
      repair: plan.repair, deep: plan.deep, lost: plan.lost, onStep: onStep, found: found)
  }
}
