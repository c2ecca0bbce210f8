import Foundation

/// The times of repeated runs.
struct Timings {
  private var times: [Duration] = []

  var count: Int { times.count }

  mutating func add(_ time: Duration) { times.append(max(time, .zero)) }

  /// Runs work and records its time.
  mutating func time<Value>(_ body: () throws -> Value) rethrows -> Value {
    let start = Moment.now
    defer { add(Moment.now - start) }
    return try body()
  }

  /// The given percentile of the times.
  func percentile(_ percent: Int) -> Duration {
    let sorted = times.sorted()
    return sorted.isEmpty ? .zero : sorted[min(sorted.count * percent / 100, sorted.count - 1)]
  }
}

/// The machine's clock, the same one in all processes.
enum Moment {
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .nanoseconds(time.tv_sec * 1_000_000_000 + time.tv_nsec)
  }
}

/// The results: a line per measurement, a column per library.
struct Table: CustomStringConvertible {
  /// The percentile that is shown beside the median.
  var high = 99
  private var names: [String] = []
  private var cells: [String: [Int: String]] = [:]
  private var columns: [String] = []

  mutating func begin(_ column: String) { columns.append(column) }

  mutating func add(_ name: String, _ cell: String) {
    if cells[name] == nil { names.append(name) }
    cells[name, default: [:]][columns.count - 1] = cell
    FileHandle.standardError.write(Data("\(columns.last ?? ""): \(name): \(cell)\n".utf8))
  }

  mutating func add(_ name: String, _ timings: Timings) {
    add(name, "\(Self.text(timings.percentile(50))) / \(Self.text(timings.percentile(high)))")
  }

  static func text(_ time: Duration) -> String { String(format: "%.2f ms", time / .milliseconds(1)) }

  var description: String {
    let head = [
      "| p50 / p\(high) | \(columns.joined(separator: " | ")) |", "| --- |\(columns.map { _ in " --- |" }.joined())",
    ]
    let lines = names.map { name in
      "| \(name) | \(columns.indices.map { cells[name]?[$0] ?? "" }.joined(separator: " | ")) |"
    }
    return (head + lines).joined(separator: "\n")
  }
}
