// Shows a library's newest posts by a delegate, whichever process changes them:
//
//   swift run media-watch-delegate ~/.local/share/media 20
//
// A delegate suits a program with a view of its own, whose rows it inserts, moves and removes one by one. Ctrl-C ends the
// program. `Examples/Watch` is the same as an AsyncSequence.

import Foundation
import MediaLibrary

/// Keeps a view up to date: here lines on standard output.
final class Printer: FetchedResultsDelegate {
  typealias Row = ListedPost

  func didChange(_ section: ListSection, _ change: SectionChange) {
    if case .insert(let index) = change { print("section \(index): \(section.count) posts") }
  }

  func didChange(_ row: ListedPost, _ change: RowChange) {
    switch change {
    case .insert(let path): print("+ \(row.post.id) at \(path.row)")
    case .delete(let path): print("- \(row.post.id) at \(path.row)")
    case .move(_, let path): print("> \(row.post.id) to \(path.row)")
    case .update(_, let path): print("~ \(row.post.id) at \(path.row)")
    }
  }

  func didChangeContent(_ update: Update<ListedPost>) {
    print("= \(update.rows.count) of \(update.total.lowerBound)")
  }

  func didFail(_ error: any Error) { print("! \(error.localizedDescription)") }

  /// Other programs may read the output, so each line is written at once. It holds numbers only: text from outside must
  /// not reach a terminal unfiltered.
  private func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

@main struct Delegate {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 1, let count = arguments.count > 2 ? Int(arguments[2]) : 20 else {
      FileHandle.standardError.write(Data("usage: media-watch-delegate FOLDER [COUNT]\n".utf8))
      exit(64)
    }
    let library = try Library(in: arguments[1])
    defer { library.close() }
    let results = library.results(of: PostListQuery(), window: Window(after: count))
    // The controller does not retain its delegate.
    let printer = Printer()
    results.setDelegate(printer)
    try await results.performFetch()
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
