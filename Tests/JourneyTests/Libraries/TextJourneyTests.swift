import Foundation
import Testing

/// Text in pictures: read, searched for, shown.
@Suite(.timeLimit(.minutes(10))) struct TextJourneyTests {
  private static func page(_ name: String) -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return tests.appending(path: "DerivativesTests/Fixtures/\(name)").path
  }

  private func filled() async throws -> Sandbox {
    var sandbox = try Sandbox()
    sandbox.environment["TESSDATA_PREFIX"] = nil
    for (caption, page) in [
      ("a sign", "text-eng.png"), ("ein Schild", "text-deu.png"), ("strong winds", "text-rus.png"),
    ] {
      let added = try await sandbox.media("add", caption, "--attach", Self.page(page))
      try #require(added.status == 0, "\(added.errors)")
    }
    return sandbox
  }

  @Test func `words in pictures are found by the same search, and marked`() async throws {
    let sandbox = try await filled()
    #expect(try await sandbox.media("list", "coast").output.isEmpty)
    let looked = try await sandbox.media("look")
    #expect(looked.status == 0 && looked.errors.contains("3 files looked at."), "\(looked.errors)")
    #expect(looked.errors.contains("3 pictures searched for text."), "\(looked.errors)")
    #expect(try await sandbox.media("look", "--json").output == "{\"failed\":0,\"files\":0,\"read\":0}\n")
    #expect(try await sandbox.media("list", "northern", "coast").output.contains("[in picture] a sign"))
    let winds = try await sandbox.media("list", "winds").output
    #expect(winds.contains("[in picture] a sign") && winds.contains(" strong winds"), "\(winds)")
    let json = try await sandbox.media("list", "coast", "--json").output
    #expect(json.contains("\"in_picture\":true") && !json.contains("boxes"))
    let shown = try await sandbox.media("show", "1").output
    #expect(shown.contains("Text in the picture, read by tesseract 5"), "\(shown)")
    #expect(shown.contains("will reach the northern coast"))
    #expect(try await sandbox.media("show", "1", "--json").output.contains("\"boxes\":[["))
    #expect(try await sandbox.media("stats").output.contains("text read   3 of 3 pictures"))
    #expect(try await sandbox.media("doctor").output.contains("text was looked for in 3 of 3 pictures"))
    #expect(try await sandbox.media("check").status == 0)
    // What a machine read is nobody's description.
    #expect(try await sandbox.media("list", "has:alt").output.isEmpty)
    let exported = try await sandbox.media("export", "--format", "csv").output
    #expect(!exported.contains("northern coast"))
  }

  @Test func `pictures are read anew in the languages of the setting`() async throws {
    let sandbox = try await filled()
    try await sandbox.media("look", "--only", "text")
    #expect(try await sandbox.media("list", "побережье").output.isEmpty)
    let set = try await sandbox.media("settings", "text-languages", "rus+deu")
    #expect(set.status == 0 && set.output == "rus+deu\n" && set.errors.isEmpty, "\(set.errors)")
    #expect(try await sandbox.media("stats").output.contains("text read   0 of 3 pictures"))
    #expect(try await sandbox.media("look").errors.contains("3 pictures searched for text."))
    #expect(try await sandbox.media("list", "побережье").output.contains("[in picture] strong winds"))
    #expect(try await sandbox.media("list", "straßen").output.contains("[in picture] ein Schild"))
    #expect(try await sandbox.media("look", "--only", "text").errors.contains("0 pictures searched for text."))
    let again = try await sandbox.media("look", "--only", "text", "--again")
    #expect(again.errors.contains("3 pictures searched for text."))
  }

  @Test func `words inside of Japanese sentences are found, and shown without spaces`() async throws {
    let sandbox = try await filled()
    let added = try await sandbox.media("add", "a timetable", "--attach", Self.page("text-jpn.png"))
    #expect(added.status == 0, "\(added.errors)")
    try await sandbox.media("settings", "text-languages", "eng+jpn")
    #expect(try await sandbox.media("look", "--only", "text").errors.contains("4 pictures searched for text."))
    for word in ["新幹線", "京都", "メン"] {
      #expect(try await sandbox.media("list", word).output.contains("[in picture] a timetable"), "\(word)")
    }
    #expect(try await sandbox.media("list", "都京").output.isEmpty)
    #expect(try await sandbox.media("show", "4").output.contains("新幹線で京都へ行く"))
  }

  @Test func `a language that is not installed is told with what installs it`() async throws {
    let sandbox = try await filled()
    let obstacle = "the language tlh is not installed: apt-get install tesseract-ocr-tlh"
    let set = try await sandbox.media("settings", "text-languages", "eng+tlh")
    #expect(set.status == 0 && set.errors.contains(obstacle))
    expect(try await sandbox.media("look", "--only", "text"), fails: 64, saying: obstacle)
    let looked = try await sandbox.media("look")
    #expect(looked.status == 0 && looked.errors.contains("3 files looked at.") && looked.errors.contains(obstacle))
    #expect(try await sandbox.media("doctor").output.contains(obstacle))
    try await sandbox.media("settings", "text-languages", "off")
    expect(
      try await sandbox.media("look", "--only", "text"), fails: 64, saying: "the setting text-languages is off",
      "\"media settings text-languages eng\" turns it on")
    #expect(try await sandbox.media("look", "--again").errors.contains("pictures") == false)
    for bad in ["eng+../x", "eng+", "a", "eng+deu+fra+spa+rus+ita", "e/g"] {
      expect(
        try await sandbox.media("settings", "text-languages", bad), fails: 64,
        saying: "languages as tesseract names them")
    }
  }
}
