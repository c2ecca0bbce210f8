import Blobs
import Foundation
import Pictures
import Testing

@testable import Derivatives

/// Text in pictures, read by the built `media-picture`. The pictures were drawn once with DejaVu Sans.
@Suite(.timeLimit(.minutes(10))) struct TextTests {
  private static let pages = [
    "eng": [
      "Strong winds and heavy rain", "will reach the northern coast", "before evening. Schools remain",
      "open until further notice.",
    ],
    "deu": [
      "Starker Wind und schwere Regenfälle", "erreichen die nördliche Küste noch",
      "vor Abend. Alle Straßen und Brücken", "bleiben während der Nacht geöffnet.",
    ],
    "fra": [
      "Des vents très forts et une pluie", "atteindront la côte nord ce soir.", "Les écoles françaises resteront",
      "ouvertes après les vacances d'été.",
    ],
    "spa": [
      "Mañana llegarán vientos fuertes y", "mucha lluvia a la costa española.", "Las escuelas seguirán abiertas",
      "después del próximo otoño.",
    ],
    "rus": [
      "Сильный ветер и дождь ожидаются", "на северном побережье до вечера.", "Школы остаются открытыми, мосты",
      "проверили после прошлой зимы.",
    ],
  ]

  @Test(arguments: pages.keys.sorted()) func `a page is read in its language`(language: String) async throws {
    let shop = try Shop()
    let text = try await shop.text(try Fixture.bytes("text-\(language).png"), language)
    #expect(text?.lines.map(\.text) == Self.pages[language])
    #expect(text?.engine.hasPrefix("tesseract 5") == true)
  }

  @Test func `boxes say where lines stand`() async throws {
    let shop = try Shop()
    let text = try #require(try await shop.text(try Fixture.bytes("text-eng.png"), "eng"))
    for (index, line) in text.lines.enumerated() {
      // Drawn at 24 and 28 of 560 × 220, 42 a line, in letters of 26.
      #expect(abs(line.box[0] - 24 * 10_000 / 560) < 100, "\(line)")
      let middle = line.box[1] + line.box[3] / 2
      #expect(abs(middle - (28 + 42 * index + 16) * 10_000 / 220) < 300, "\(line)")
      #expect(line.box[2] > 5000 && line.box[3] < 2000, "\(line)")
    }
  }

  @Test(arguments: ["text-turned.jpg", "text-dark.png"])
  func `a page is read as it is shown, dark or light`(name: String) async throws {
    let shop = try Shop()
    let text = try await shop.text(try Fixture.bytes(name), "eng")
    #expect(text?.lines.map(\.text) == Self.pages["eng"])
  }

  @Test func `small pictures and pictures of something else have no text`() async throws {
    let shop = try Shop()
    #expect(try await shop.text(try Fixture.bytes("text-small.png"), "eng") == nil)
    let waves = (0..<400 * 300).map { index -> UInt32 in
      let (x, y) = (Double(index % 400), Double(index / 400))
      let byte = UInt32(127 + 60 * sin(x / 9 + y / 31) + 60 * cos(y / 7 - x / 40))
      return 0xFF00_0000 | byte << 16 | byte << 8 | byte
    }
    #expect(try await shop.text(try Made.png(400, 300, waves), "eng") == nil)
  }

  @Test func `a language that is not installed is told with its package, and is no fault of the file`() async throws {
    let shop = try Shop()
    let blob = try shop.put(try Fixture.bytes("text-eng.png"))
    let languages = try #require(TextLanguages("eng+tlh"))
    let answer = try await shop.answers([blob], languages)[0].get()
    #expect(answer.text == nil && answer.failures.isEmpty)
    #expect(answer.missing == ["text": "the language tlh is not installed: apt-get install tesseract-ocr-tlh"])
    let empty = try await shop.answers([blob], #require(TextLanguages("eng")), data: shop.scratch.path)[0].get()
    #expect(empty.missing == ["text": "the language eng is not installed: apt-get install tesseract-ocr-eng"])
  }

  @Test func `damaged data of a language end no child`() async throws {
    let shop = try Shop()
    for bytes in [[], [1, 2, 3], [UInt8](repeating: 0xFF, count: 4096)] as [[UInt8]] {
      try Data(bytes).write(to: URL(filePath: "\(shop.scratch.path)/eng.traineddata"))
      let blob = try shop.put(try Fixture.bytes("text-eng.png"))
      let answer = try await shop.answers([blob], #require(TextLanguages("eng")), data: shop.scratch.path)[0].get()
      #expect(answer.missing == ["text": "tesseract cannot read its data of eng"])
    }
  }

  @Test func `hostile pictures cost their own answer alone`() async throws {
    let shop = try Shop()
    let page = try Fixture.bytes("text-eng.png")
    let noise = (0..<1200 * 900).map { index in 0xFF00_0000 | UInt32(truncatingIfNeeded: index &* 2_654_435_761) >> 8 }
    let files = [
      try Made.png(announcing: 50_000, 50_000), Array(page.dropLast(page.count / 2)), try Made.png(1200, 900, noise),
      try Made.png(9000, 1), page,
    ]
    let answers = try await shop.answers(try files.map(shop.put), #require(TextLanguages("eng")))
    #expect(try answers[0].get().failures["text"] == "the picture is too large: 50000 × 50000 pixels")
    #expect(try answers[1].get().failures["text"]?.contains("damaged") == true)
    #expect(try answers[4].get().text?.lines.map(\.text) == Self.pages["eng"])
  }

  @Test(arguments: [
    #""lines":[]"#, #""lines":[{"text":"a b","box":[0,0,10001,5]}]"#, #""lines":[{"text":"a b","box":[0,0,5]}]"#,
    #""lines":[{"text":"a\u001bb","box":[0,0,5,5]}]"#, #""lines":[{"text":"a\nb","box":[0,0,5,5]}]"#,
    #""lines":[{"text":"","box":[0,0,5,5]}]"#,
  ])
  func `a program that lies about text is not believed`(lines: String) async throws {
    let shop = try Shop()
    let program = try shop.script(
      """
      printf '%s\\n' "{\\"failures\\":{},\\"missing\\":{},\\"id\\":$id,\\"text\\":{\\"engine\\":\\"e\\",$(cat <<'END'
      \(lines)
      END
      )}}"
      """, greeting: "media-picture inspect 1")
    let blob = try shop.put(try Made.png(9, 9))
    let answers = try await shop.answers([blob], #require(TextLanguages("eng")), program: program)
    #expect(answers == [.failure(.undecodable("the program that decodes sent no picture"))])
  }
}

extension Shop {
  fileprivate func answers(
    _ blobs: [BlobID], _ languages: TextLanguages, program: String = built, data: String? = nil
  ) async -> [Inspector.Answer] {
    var environment = ProcessInfo.processInfo.environment
    if let data { environment[TextLanguages.folderVariable] = data }
    let configuration = Derivatives.Configuration(program: program, environment: environment, children: 1)
    let inspector = Inspector(
      blobs: self.blobs, configuration: configuration,
      clocks: .init(now: { Date() }, instant: { .now }, sleep: { _ in throw CancellationError() }))
    return await inspector.answers(to: blobs.map { Inspector.Question($0, [.text], in: languages) })
  }

  fileprivate func text(_ bytes: [UInt8], _ languages: String) async throws -> PictureText? {
    let languages = try #require(TextLanguages(languages))
    let answer = try await answers([try put(bytes)], languages)[0].get()
    #expect(answer.failures.isEmpty && answer.missing.isEmpty)
    return answer.text
  }
}
