import Foundation
import MediaLibrary

/// LibraryBench make FOLDER COUNT: makes a library if there is none. LibraryBench measure FOLDER...: measures libraries,
/// and prints a table with a column for each. LibraryBench pages FOLDER: only the pages, for a profiler.
///
/// LibraryBench shared ADDRESS...: what libraries that machines share are measured by; LibraryBench begin ADDRESS makes one.
///
/// LibraryBench check FOLDER...: only a check of each. LibraryBench overviews FOLDER...: only months, counts and
/// statistics. LibraryBench filters FOLDER...: the first screens of filters, and marks of many posts, which it leaves there.
///
/// It starts the other two itself: a process that writes, and one whose memory is measured.
@main struct Bench {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    switch (words.first, words.dropFirst().map { $0 }) {
    case ("make", let rest) where rest.count == 2: try Maker(count: Int(rest[1]) ?? 0).make(in: rest[0])
    case ("measure", let folders) where !folders.isEmpty: try await measure(folders)
    case ("pages", let rest) where rest.count == 1:
      var table = Table()
      table.begin("pages")
      let library = try Library(at: rest[0])
      for _ in 0..<5 { try Pages(library: library).measure(into: &table) }
      library.close()
    case ("check", let folders) where !folders.isEmpty:
      var table = Table()
      for folder in folders {
        table.begin(folder)
        let library = try Library(in: folder) { Date() }
        try Checks(library: library).measure(into: &table)
        library.close()
      }
      print(table)
    case ("overviews", let folders) where !folders.isEmpty:
      var table = Table()
      for folder in folders {
        let library = try Library(in: folder) { Date() }
        let sample = try Sample(of: library)
        table.begin("\(sample.count) posts")
        try OverviewTimes(library: library, sample: sample).measure(into: &table)
        library.close()
      }
      print(table)
    case ("filters", let folders) where !folders.isEmpty:
      var table = Table()
      table.high = 95
      for folder in folders {
        let library = try Library(at: folder)
        let sample = try Sample(of: library)
        table.begin("\(sample.count) posts")
        try await Changes(library: library, location: folder, sample: sample).measureMarks(into: &table)
        try Filters(library: library, sample: sample).measure(into: &table)
        library.close()
      }
      print(table)
    case ("begin", let rest) where rest.count == 1: try Library(at: rest[0]).close()
    case ("shared", let addresses) where !addresses.isEmpty:
      var table = Table()
      table.high = 95
      for address in addresses { try await SharedLibrary(address: address).measure(into: &table) }
      print(table)
    case ("write", let rest) where rest.count == 1: try Writing.run(in: rest[0])
    case ("memory", let rest) where rest.count == 1: try await Memory.run(in: rest[0])
    default:
      let usage = """
        usage: LibraryBench make FOLDER COUNT | measure FOLDER... | check FOLDER... | overviews FOLDER...
          | filters FOLDER...
          | begin ADDRESS | shared ADDRESS...

        """
      FileHandle.standardError.write(Data(usage.utf8))
      exit(64)
    }
  }

  private static func measure(_ folders: [String]) async throws {
    var table = Table()
    for folder in folders {
      let library = try Library(in: folder) { Date() }
      let sample = try Sample(of: library)
      table.begin("\(sample.count) posts")
      try Windows(library: library, sample: sample).measure(into: &table)
      try await Changes(library: library, location: folder, sample: sample).measure(into: &table)
      try Checks(library: library).measure(into: &table)
      try Pages(library: library).measure(into: &table)
      try OverviewTimes(library: library, sample: sample).measure(into: &table)
      library.close()
      try Joins(count: min(sample.count, 50_000)).measure(into: &table)
      try Memory.measure(folder, into: &table)
    }
    print(table)
  }
}
