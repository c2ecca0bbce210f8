import Blobs
import FoundationEssentials
import Storage

extension Backup {
  /// Reads a backup back: every row of its store, and every byte of its pictures. Pictures that are damaged there are
  /// copied anew from the library.
  ///
  /// - Parameters:
  ///   - path: The backup's folder, absolute.
  ///   - onStep: Receives the progress.
  ///   - found: Receives each finding, and whether it is mended.
  /// - Returns: The totals.
  public func verify(
    _ path: String, onStep: (CheckStep) -> Void, found: (Finding, _ isMended: Bool) throws -> Void
  ) throws -> CheckResult {
    do {
      let folder = try BackupFolder(path, beside: library)
      let lock = try folder.lock()
      defer { withExtendedLifetime(lock) {} }
      guard let copy = try Store.openCopy(in: path) else { throw BackupError.unreadable(path) }
      defer { copy.close() }
      let target = DiskBlobs(library: path)
      var mended = 0
      var result = try copy.check(
        target, CheckPlan(deep: true), now: now, isPulling: { false }, onStep: onStep
      ) { finding, _ in
        let isMended = try mend(finding, in: target)
        if isMended { mended += 1 }
        try found(finding, isMended)
      }
      result.remaining -= mended
      if result.isDamaged, var mark = try folder.mark() {
        // The next backup copies the store again.
        mark.version = nil
        try folder.write(mark)
      }
      return result
    } catch { throw BackupError(error, in: path) ?? error }
  }

  private func mend(_ finding: Finding, in target: DiskBlobs) throws -> Bool {
    switch finding.kind {
    case .missing, .length, .bytes, .unreadable:
      guard let id = finding.blob, let draft = try target.draft(copying: id, from: blobs) else { return false }
      return try !target.keep([draft]).isEmpty
    default: return false
    }
  }
}
