import Foundation
import MediaLibrary

/// Measures the memory that an open controller with a window of 50 rows adds to a process.
enum Memory {
  static func measure(_ folder: String, into table: inout Table) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["memory", folder]
    let answer = Pipe()
    process.standardOutput = answer
    try process.run()
    let text = String(decoding: try answer.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    table.add("memory of a controller / of the process", text.trimmingCharacters(in: .newlines))
  }

  /// In a separate process, where nothing else was read.
  static func run(in folder: String) async throws {
    let library = try Library(in: folder) { Date() }
    let before = resident
    let results = library.results(of: PostListQuery())
    try await results.performFetch()
    let updates = results.updates().makeAsyncIterator()
    guard let post = try await updates.next()?.rows.first?.post.id else { return }
    for round in 0..<200 {
      if round % 2 == 0 { try library.delete([post]) } else { try library.restore([post]) }
      _ = try await updates.next()
    }
    let after = resident
    await results.stop()
    library.close()
    print(String(format: "%.1f MB / %.1f MB", Double(after - before) / 1e6, Double(after) / 1e6))
  }

  /// From proc(5), `/proc/self/statm`: pages.
  private static var resident: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
