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
  convenience init?(at path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0
    else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    self.init(descriptor, byteCount: status.st_size)
  }

  private init(_ descriptor: Int32, byteCount: Int) { (self.descriptor, self.byteCount) = (descriptor, byteCount) }

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
    var large: (blob: BlobID, copy: CleanCopy, usedAt: Date)?
  }

  private let blobs: any BlobStoring
  private let cache: ThumbnailCache
  private let temporary: String
  private let now: @Sendable () -> Date
  private let stripper: Stripper
  private let state = Mutex(State())
  private let reading = BlockingExecutor("derivatives.clean.cache")
  private let making = BlockingExecutor("derivatives.clean")
  /// So long a large copy stays that nobody asks for, in seconds.
  private static let largeDuration = 600.0

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
    // What is known waits for no film that is cleaned just now.
    if let known = await reading.run({ self.known(of: blob) }) { return try known.get() }
    return try await making.run { () throws(StrippingError) in
      try (self.known(of: blob) ?? self.makeAndRemember(blob)).get()
    }
  }

  /// Ends the child if it was not used since a time, and forgets a large copy that nobody asks for any more.
  func endChild(unusedSince time: ContinuousClock.Instant) {
    stripper.endChild(unusedSince: time)
    let now = now()
    state.withLock { state in
      if let large = state.large, now.timeIntervalSince(large.usedAt) > Self.largeDuration { state.large = nil }
    }
  }

  private func known(of blob: BlobID) -> Result<CleanCopy?, StrippingError>? {
    if let copy = cache.cleanCopy(of: blob) { return .success(copy) }
    let now = now()
    return state.withLock { state in
      if state.large?.blob == blob, let copy = state.large?.copy {
        state.large?.usedAt = now
        return .success(copy)
      }
      return state.outcomes.value(of: blob, now: now).map { $0.map { .failure($0) } ?? .success(nil) }
    }
  }

  private func makeAndRemember(_ blob: BlobID) -> Result<CleanCopy?, StrippingError> {
    do throws(StrippingError) {
      let copy = try make(blob)
      if copy == nil { remember(nil, of: blob) }
      return .success(copy)
    } catch {
      if case .refused = error { remember(error, of: blob) }
      return .failure(error)
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
    // Nobody else writes to a draft, whatever other machines clean in the same folder.
    let name = "\(UInt64.random(in: .min ... .max))\(UInt64.random(in: .min ... .max)).part"
    let draft = cache.cleanDraft(of: blob, named: name) ?? "\(temporary)/media-clean-\(name)"
    unlink(draft)
    guard try stripper.strip(source.path, to: draft) else { return nil }
    guard let copy = CleanCopy(at: draft) else { throw .unavailable("\(draft) cannot be read") }
    if !cache.keepCleanCopy(copy, of: blob, from: draft) {
      unlink(draft)
      let now = now()
      state.withLock { $0.large = (blob, copy, now) }
    }
    return copy
  }
}
