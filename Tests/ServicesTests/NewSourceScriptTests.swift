import Folders
import Foundation
import Testing

/// `Scripts/new source` in a copy of the files that it changes.
@Suite(.timeLimit(.minutes(5))) struct NewSourceScriptTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardized
  private static let touched = [
    "Package.swift", ".swift-format", "Scripts/new", "Scripts/lib/parts", "Scripts/lib/new/source",
    "Sources/Services/Catalogue.swift",
    "Tests/ServicesTests/Dialects/Dialect.swift",
  ]

  private let folder = FileManager.default.temporaryDirectory.appending(path: "new-source-\(UUID().uuidString)")

  private func copy() throws {
    for path in Self.touched {
      let target = folder.appending(path: path)
      try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Self.root.appending(path: path), to: target)
    }
  }

  private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    try StartedProgram.run(folder.appending(path: "Scripts/new").path, ["source"] + arguments)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  @Test func `a new source is a folder and a line of the catalogue, and is held to the contract`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try copy()
    let made = try run(["vimeo"])
    #expect(made.status == 0, "\(made.output)")
    for path in [
      "Sources/Services/Vimeo/VimeoDescriptor.swift", "Sources/Services/Vimeo/VimeoSource.swift",
      "Sources/Services/Vimeo/VimeoPost.swift", "Sources/Services/Vimeo/README.md",
      "Tests/ServicesTests/Fixtures/vimeo/page.json", "Tests/ServicesTests/Dialects/VimeoDialect.swift",
      "Tests/ServicesTests/VimeoTests.swift",
    ] {
      #expect(try !text(path).isEmpty, "\(path)")
      #expect(try !path.hasPrefix("Sources/") || !text(path).contains("import Foundation\n"), "\(path)")
    }
    let before = try String(
      contentsOf: Self.root.appending(path: "Sources/Services/Catalogue.swift"), encoding: .utf8)
    let catalogue = try text("Sources/Services/Catalogue.swift")
    #expect(catalogue.contains(",\n    .vimeo,\n  ]\n"))
    #expect(catalogue.replacing("    .vimeo,\n", with: "") == before)
    #expect(try text("Tests/ServicesTests/Dialects/Dialect.swift").contains(",\n    vimeo,\n  ]\n"))
    #expect(try text("Package.swift").contains("\"Vimeo/README.md\""))
    #expect(try run(["vimeo"]).status == 64)
  }

  @Test(arguments: ["", "Vimeo", "9gag", "manual", "self", "a-b", "mastodon"])
  func `an invalid or used name changes nothing`(name: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try copy()
    #expect(try run([name]).status == 64)
    for path in Self.touched {
      let before = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
      #expect(try text(path) == before, "\(path)")
    }
  }
}
