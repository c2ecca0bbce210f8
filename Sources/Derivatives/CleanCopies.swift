import Blobs
import FoundationEssentials
import Glibc
import Machine
import Synchronization

/// An open copy of a file that does not say where it was taken. It can be read after the cache evicted it.
public final class CleanCopy: Sendable {
  /// The number of bytes.
  public let byteCount: Int
  let descriptor: Int32

  /// Nil if no copy is at the path.
  init?(at path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0
    else {
      if descriptor >= 0 { close(descriptor) }
      byteCount = 0
      return nil
    }
    byteCount = status.st_size
  }

  deinit { close(descriptor) }

  /// Bytes of the copy: fewer than asked for if it ends or cannot be read.
  public func bytes(_ range: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, range.count, range.lowerBound))
    }
  }
}

/// A library's files as they are published: copies that do not say where they were taken, made when they are asked for and
/// cached with the small pictures.
public final class CleanCopies: Sendable {
  private struct State {
    /// What cleaning a blob came to where there is no copy: nil if the blob itself has nothing to take out.
    var outcomes = BlobMemory<StrippingError?>()
    /// A copy that is too large for the cache. A player asks for many parts of it.
    var large: (blob: BlobID, copy: CleanCopy)?
    var drafts = 0
  }

  private let blobs: any BlobStoring
  private let cache: ThumbnailCache
  private let temporary: String
  private let now: @Sendable () -> Date
  private let stripper: Stripper
  private let state = Mutex(State())
  private let executor = BlockingExecutor("derivatives.clean")

  init(
    of blobs: any BlobStoring, in cache: ThumbnailCache, by stripper: Stripper, temporary: String,
    now: @escaping @Sendable () -> Date
  ) {
    (self.blobs, self.cache, self.stripper) = (blobs, cache, stripper)
    (self.temporary, self.now) = (temporary, now)
  }

  /// The copy of a blob that may be published.
  ///
  /// - Parameter mediaType: The type of the blob's bytes.
  /// - Returns: Nil if the blob itself may be: it has nothing to take out.
  /// - Throws: Why the blob may not be published.
  public func copy(of blob: BlobID, _ mediaType: String?) async throws(StrippingError) -> CleanCopy? {
    guard Stripper.cleans(mediaType) else { return nil }
    return try await executor.run { () throws(StrippingError) in try self.copy(of: blob) }
  }

  /// Ends the child if it was not used since a time, and forgets the large copy.
  func endChild(unusedSince time: ContinuousClock.Instant) {
    if stripper.endChild(unusedSince: time) { state.withLock { $0.large = nil } }
  }

  private func copy(of blob: BlobID) throws(StrippingError) -> CleanCopy? {
    if let copy = cache.cleanCopy(of: blob) { return copy }
    let known: (copy: CleanCopy?, outcome: StrippingError??) = state.withLock { state in
      (state.large?.blob == blob ? state.large?.copy : nil, state.outcomes.value(of: blob, now: now()))
    }
    if let copy = known.copy { return copy }
    if let outcome = known.outcome {
      if let outcome { throw outcome }
      return nil
    }
    do throws(StrippingError) {
      let copy = try make(blob)
      if copy == nil { remember(nil, of: blob) }
      return copy
    } catch {
      if case .refused = error { remember(error, of: blob) }
      throw error
    }
  }

  private func remember(_ outcome: StrippingError?, of blob: BlobID) {
    let now = now()
    state.withLock { $0.outcomes.remember(outcome, of: blob, now: now) }
  }

  private func make(_ blob: BlobID) throws(StrippingError) -> CleanCopy? {
    let source: BlobFile
    do throws(BlobError) {
      source = try blobs.file(of: blob, in: temporary)
    } catch {
      throw .unavailable(DerivativeError.reason(error))
    }
    guard access(source.path, R_OK) == 0 else { throw .unavailable("\(source.path) cannot be read") }
    // Only this process writes to a draft: two may clean the same file.
    let number = state.withLock { state in
      state.drafts += 1
      return state.drafts
    }
    let name = "\(getpid())-\(number).part"
    let draft = cache.cleanDraft(of: blob, named: name) ?? "\(temporary)/media-clean-\(name)"
    unlink(draft)
    guard try stripper.strip(source.path, to: draft) else { return nil }
    guard let copy = CleanCopy(at: draft) else { throw .unavailable("\(draft) cannot be read") }
    if !cache.keepCleanCopy(copy, of: blob, from: draft) {
      unlink(draft)
      state.withLock { $0.large = (blob, copy) }
    }
    return copy
  }
}
