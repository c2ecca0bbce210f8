import Blobs
import Glibc

// Queues requests, and makes derivatives on the threads of the workers.

extension Derivatives {
  /// Waits for derivatives that are not cached.
  func make(
    _ sizes: Set<Size>, of blob: BlobID, isBackground: Bool
  ) async throws(DerivativeError) -> Files {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        enqueue(number, answer, sizes, of: blob, isBackground: isBackground)
      }
    } onCancel: {
      cancel(number)
    }
    // Remove the entry of a cancellation that came at the same time as the answer.
    state.withLock { _ = $0.cancelled.remove(number) }
    return try result.get().filter { sizes.contains($0.key) }
  }

  private func enqueue(
    _ number: UInt64, _ answer: Answer, _ sizes: Set<Size>, of blob: BlobID, isBackground: Bool
  ) {
    let now = clocks.now()
    let (error, dropped): (DerivativeError?, [Answer]) = state.withLock { state in
      if state.cancelled.remove(number) != nil { return (.cancelled, []) }
      if let failure = state.failures.value(of: blob, now: now) { return (failure, []) }
      state.answers[number] = answer
      let dropped = state.queue.add(number, blob, sizes, isBackground: isBackground)
      return (nil, dropped.compactMap { state.answers.removeValue(forKey: $0) })
    }
    if let error { answer.resume(returning: .failure(error)) }
    for answer in dropped { answer.resume(returning: .failure(.superseded)) }
    startJobs()
  }

  private func cancel(_ number: UInt64) {
    let answer = state.withLock { state in
      state.queue.remove(number)
      let answer = state.answers.removeValue(forKey: number)
      // The request is not registered yet, or it was already answered.
      if answer == nil { state.cancelled.insert(number) }
      return answer
    }
    answer?.resume(returning: .failure(.cancelled))
  }

  private func startJobs() {
    while true {
      let next: (worker: DerivativeWorker, job: DerivativeQueue.Job)? = state.withLock { state in
        guard !state.idle.isEmpty, let job = state.queue.next() else { return nil }
        // The worker that became idle last has a child.
        return (state.idle.removeLast(), job)
      }
      guard let next else { return }
      next.worker.perform { self.perform(next.job, by: next.worker) }
    }
  }

  private func perform(_ job: DerivativeQueue.Job, by worker: DerivativeWorker) {
    let result = result(of: job, by: worker)
    let now = clocks.now()
    let answers = state.withLock { state in
      if case .failure(let error) = result, error.isLasting { state.failures.remember(error, of: job.blob, now: now) }
      // Before anybody is answered: who asks for more then needs no other child.
      state.idle.append(worker)
      return state.queue.finish(job).compactMap { state.answers.removeValue(forKey: $0) }
    }
    for answer in answers { answer.resume(returning: result) }
    cache.trimIfNeeded()
    startJobs()
  }

  private func result(of job: DerivativeQueue.Job, by worker: DerivativeWorker) -> Result<Files, DerivativeError> {
    // Another request or process may have made them meanwhile.
    let cached = cached(job.blob, job.sizes)
    let missing = job.sizes.subtracting(cached.keys)
    do throws(DerivativeError) {
      guard !missing.isEmpty else { return .success(cached) }
      let file = try picture(job.blob)
      let made = try worker.make(missing, of: file.path)
      keep(made, of: job.blob)
      return .success(cached.merging(made) { _, new in new })
    } catch {
      return .failure(error)
    }
  }

  private func picture(_ blob: BlobID) throws(DerivativeError) -> BlobFile {
    let (type, file): (MediaType?, BlobFile)
    do throws(BlobError) {
      type = try blobs.header(of: blob).type
      file = try blobs.file(of: blob, in: configuration.temporary)
    } catch {
      throw DerivativeError(error)
    }
    if type?.rawValue.hasPrefix("audio/") == true || type == .ogg { throw .sound }
    if let error = file.hindrance { throw error }
    return file
  }

  /// Caches derivatives. A cache that accepts none, as on a full disk, costs time and nothing else.
  private func keep(_ files: Files, of blob: BlobID) {
    do throws(BlobError) {
      for (size, file) in files { try cache.keep(file, blob, size) }
      state.withLock { $0.isCaching = true }
    } catch {
      let isNew = state.withLock { state in
        defer { state.isCaching = false }
        return state.isCaching
      }
      if isNew { notice("Small pictures are made anew each time: \(DerivativeError.reason(error)).") }
    }
  }
}

extension BlobFile {
  /// Why the file cannot be read; nil if it can. The library may have been moved, or the blob removed just now: that says
  /// nothing about the picture.
  var hindrance: DerivativeError? {
    if access(path, R_OK) == 0 { return nil }
    return errno == ENOENT ? .missing : .unavailable("\(path) cannot be read")
  }
}
