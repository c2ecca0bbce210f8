import Blobs
import Derivatives
import Foundation

/// ThumbBench: measures how many pictures of a camera become derivatives in a second, and prints a table.
@main struct Bench {
  private static let pictures = 48
  private static let rounds = 3

  static func main() async throws {
    guard CommandLine.arguments.count == 3 else {
      FileHandle.standardError.write(Data("usage: ThumbBench MEDIA-PICTURE FOLDER\n".utf8))
      exit(64)
    }
    let (program, folder) = (CommandLine.arguments[1], CommandLine.arguments[2])
    let blobs = try Photos.blobs(in: folder, count: pictures)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    print(
      "\(pictures) JPEG pictures of 4000 × 3000 pixels and \(try Photos.megabytes(blobs, folder)) MB, \(cores) children\n"
    )
    print("| derivatives | pictures a second, median of \(rounds) | goal | processor time a picture |")
    print("| --- | --- | --- | --- |")
    let jobs: [(name: String, sizes: Set<Derivatives.Size>, goal: Double)] = [
      ("320 px", [.small], 35), ("320 and 640 px", [.small, .medium], 0), ("all three", [.small, .medium, .large], 6),
    ]
    for job in jobs {
      var results: [(rate: Double, processor: Double)] = []
      for _ in 0..<rounds { results.append(try await round(program, folder, blobs, job.sizes, cores)) }
      let median = results.sorted { $0.rate < $1.rate }[rounds / 2]
      let goal = job.goal > 0 ? "\(Int(job.goal))" : ""
      print("| \(job.name) | \(text(median.rate)) | \(goal) | \(text(median.processor * 1000)) ms |")
    }
  }

  private static func round(
    _ program: String, _ folder: String, _ blobs: [BlobID], _ sizes: Set<Derivatives.Size>, _ cores: Int
  ) async throws -> (rate: Double, processor: Double) {
    try? FileManager.default.removeItem(atPath: "\(folder)/cache")
    let derivatives = Derivatives(
      blobs: DiskBlobs(library: folder), cache: ThumbnailCache(library: folder) { Date() },
      configuration: .init(program: program, environment: ProcessInfo.processInfo.environment, children: cores),
      clocks: .init(now: { Date() }, instant: { .now }, sleep: { try await Task.sleep(for: $0) }),
      notice: { print($0) })
    let (start, used) = (ContinuousClock.now, processorTime())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for blob in blobs { group.addTask { _ = try await derivatives.files(for: blob, sizes: sizes) } }
      try await group.waitForAll()
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let ended = Task { await derivatives.run() }
    ended.cancel()
    await ended.value
    return (Double(blobs.count) / seconds, (processorTime() - used) / Double(blobs.count))
  }

  /// The processor time of this process and of its children that have ended, in seconds.
  private static func processorTime() -> Double {
    [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(0) { sum, who in
      var usage = rusage()
      getrusage(Int32(truncatingIfNeeded: who.rawValue), &usage)
      let times = [usage.ru_utime, usage.ru_stime]
      return sum + times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
  }

  private static func text(_ number: Double) -> String { String(format: "%.1f", number) }
}
