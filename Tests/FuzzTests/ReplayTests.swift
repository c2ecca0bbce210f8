import Foundation
import FuzzTargets
import Testing

/// Replays the fuzzer's corpus and findings: no input crashes, and every promise is kept.
struct ReplayTests {
  static let targets = FuzzTarget.all + [.settings]

  @Test(arguments: ReplayTests.targets.map(\.name))
  func `a target keeps its promises over its corpus`(name: String) async throws {
    let target = try #require(Self.targets.first { $0.name == name })
    let corpus = try Corpus.files(of: name)
    #expect(!corpus.isEmpty)
    for file in corpus {
      let bytes = Array(try Data(contentsOf: file))
      await #expect(throws: Never.self, "\(file.lastPathComponent)") { try await target.read(bytes) }
      // Truncated files reach other exits.
      for length in stride(from: 0, to: min(bytes.count, target.longest), by: max(1, bytes.count / 8)) {
        await #expect(throws: Never.self, "\(file.lastPathComponent) to \(length)") {
          try await target.read(Array(bytes.prefix(length)))
        }
      }
    }
  }

  @Test func `every corpus belongs to a target`() throws {
    #expect(Set(try Corpus.names()) == Set(Self.targets.map(\.name)))
  }
}

/// The fuzzer's corpora, in folders named like their targets.
enum Corpus {
  private static func folder() throws -> URL {
    try #require(Bundle.module.resourceURL).appendingPathComponent("Corpora")
  }

  static func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder().path) }

  static func files(of name: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder().appendingPathComponent(name), includingPropertiesForKeys: nil)
  }
}
