import Blobs
import Foundation
import Testing

@testable import Derivatives

/// A person's program with a model, as real programs that behave and that do not.
@Suite(.timeLimit(.minutes(10))) struct ModelProgramTests {
  private static let greeting =
    #"{"media":1,"model":"m@1","dimensions":2,"gives":["embed","tags","caption","sensitive","text-embed"]}"#
  /// East, as two half floats.
  private static let east = Data([0x00, 0x3C, 0x00, 0x00]).base64EncodedString()

  /// A program that greets, and answers each question by a line. `$id` is the number of the question.
  private func program(
    _ answer: String, greeting: String = greeting, in shop: Shop, memory: Int64 = 1 << 30,
    within limit: Duration = .seconds(60)
  ) -> ModelProgram {
    let script = """
      printf '%s\\n' '\(greeting)'
      while read -r question; do
        id=${question#*\\"id\\":}; id=${id%%[,\\}]*}
        \(answer)
      done
      """
    return program(line: script, in: shop, memory: memory, within: limit)
  }

  private func program(
    line: String, in shop: Shop, memory: Int64 = 1 << 30, within limit: Duration = .seconds(60)
  ) -> ModelProgram {
    ModelProgram(
      blobs: shop.blobs, temporary: shop.scratch.path,
      .init(line: line, environment: ProcessInfo.processInfo.environment, memory: memory, timeLimit: limit),
      now: { .now }, mustEnd: { false })
  }

  private struct Asked: Decodable {
    let file, text: String?
    let want: [String]
  }

  private static func said(_ fields: String) -> String {
    "printf '%s\\n' '{\"id\":'$id',\(fields)}'"
  }

  private func failure(_ program: ModelProgram, of blob: BlobID) async -> DerivativeError? {
    do throws(DerivativeError) {
      _ = try await program.findings(of: blob)
      return nil
    } catch {
      return error
    }
  }

  @Test func `what a program says is read, without what steers a terminal`() async throws {
    let shop = try Shop()
    let blob = try shop.put(try Made.png(4, 4))
    let answer = Self.said(
      #""embed":"\#(Self.east)","tags":[["Cat",0.5],["  red\u001b[31m  car ",0.93],["cat",0.7],["Cafe\u0301",0.4]],"caption":"a\ncat\u202e","sensitive":0.25"#
    )
    let program = program(answer, in: shop)
    let model = try await program.model()
    #expect(model.name == ModelName("m@1", dimensions: 2) && model.embedsPictures && model.embedsTexts)
    let found = try await program.findings(of: blob)
    #expect(
      found.tags == [
        MachineTag("red [31m car", score: 0.93), MachineTag("cat", score: 0.7), MachineTag("café", score: 0.4),
      ])
    #expect(found.caption == "a cat" && found.sensitive == 0.25)
    #expect(found.embedding == Embedding([1, 0]))
    #expect(try await program.embedding(of: "a red car") == Embedding([1, 0]))
  }

  @Test func `a program gets the path of the bytes, and a text as it is`() async throws {
    let shop = try Shop()
    let bytes = try Made.png(4, 4)
    let blob = try shop.put(bytes)
    let log = "\(shop.scratch.path)/asked"
    let program = program(
      "printf '%s\\n' \"$question\" >>'\(log)'; " + Self.said(#""embed":"\#(Self.east)""#), in: shop)
    _ = try await program.findings(of: blob)
    _ = try await program.embedding(of: "a \"red\" car'\n$(id)")
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let asked = try lines.map { try JSONDecoder().decode(Asked.self, from: Data($0.utf8)) }
    #expect(asked.map(\.want) == [["embed", "tags", "caption", "sensitive"], ["text-embed"]])
    #expect(asked.map(\.text) == [nil, "a \"red\" car'\n$(id)"] && asked[1].file == nil)
    let path = try #require(asked[0].file)
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == bytes)
  }

  @Test(arguments: [
    ("nothing of JSON", "echo hello", "no JSON object"),
    ("an answer to another question", #"echo '{"id":99,"embed":"ADwAAA=="}'"#, "nobody asked"),
    ("no number", said(#""embed":"AH4AAA==""#), "points nowhere"),
    ("an infinite number", said(#""embed":"AHwAAA==""#), "points nowhere"),
    ("no direction", said(#""embed":"AAAAAA==""#), "points nowhere"),
    ("another length", said(#""embed":"ADwAAAA8AAA=""#), "8 bytes in place of 4"),
    ("no base64", said(#""embed":"?""#), "no embedding in base64"),
    ("no embedding", said(#""tags":[]"#), "no embedding in base64"),
    ("a score above 1", said(#""embed":"ADwAAA==","tags":[["cat",1.5]]"#), "not from 0 to 1"),
    ("a score that is no number", said(#""embed":"ADwAAA==","tags":[["cat",NaN]]"#), "not from 0 to 1"),
    ("a tag without a score", said(#""embed":"ADwAAA==","tags":["cat"]"#), "no pair"),
    ("a tag of control characters", said(##""embed":"ADwAAA==","tags":[["\u0007",0.5]]"##), "a tag of 0 characters"),
    (
      "too many tags",
      "t=$(printf '[\"%s\",0.5],' $(seq 65)); printf '%s\\n' '{\"id\":'$id',\"embed\":\"ADwAAA==\",\"tags\":['\"${t%,}\"']}'",
      "more than 64 tags"
    ),
    (
      "a long tag", "printf '{\"id\":%s,\"embed\":\"ADwAAA==\",\"tags\":[[\"%065d\",0.5]]}\\n' $id 0",
      "a tag of 65 characters"
    ),
    (
      "a long caption", "printf '{\"id\":%s,\"embed\":\"ADwAAA==\",\"caption\":\"%02001d\"}\\n' $id 0",
      "a caption of 2001 bytes"
    ),
    ("a sensitive of another kind", said(#""embed":"ADwAAA==","sensitive":"very""#), "not from 0 to 1"),
    ("more lines than one", #"printf '{"id":%s,"embed":"ADwAAA=="}\n{}\n' $id"#, "more lines than were asked for"),
    ("endless lines", "yes", "more than was asked for"),
    ("an endless line", "tr '\\0' a </dev/zero", "more than was asked for"),
    ("its end", "echo 'out of cheese' >&2; exit 3", "ended with status 3 (out of cheese)"),
    ("its end by a signal", "kill -KILL $$", "status 137"),
    ("nothing", "sleep 1000", "took longer than"),
    ("errors without end", "yes >&2", "took longer than"),
  ]) func `a program that lies, floods or hangs costs a file, then the run, and no more`(
    what: String, answer: String, reason: String
  ) async throws {
    let shop = try Shop()
    let blob = try shop.put(try Made.png(4, 4))
    let hangs = reason.hasPrefix("took")
    let program = program(answer, in: shop, within: hangs ? .seconds(2) : .seconds(60))
    for round in 1...4 {
      let error = try #require(await failure(program, of: blob))
      switch error {
      case .undecodable(let words): #expect(round < 3 && words.contains(reason), "\(words)")
      case .unavailable(let words):
        #expect(round > 3 && words.contains("too often") || round == 3 && words.contains(reason), "\(words)")
      default: Issue.record("\(error)")
      }
    }
  }

  @Test func `a file that a program cannot read costs that file alone`() async throws {
    let shop = try Shop()
    let blob = try shop.put(try Made.png(4, 4))
    let program = program(Self.said(#""error":"it is no\nphoto""#), in: shop)
    for _ in 0..<5 { #expect(await failure(program, of: blob) == .undecodable("it is no photo")) }
  }

  @Test(arguments: [
    ("echo hello", "no greeting"), ("true", "it ended"), ("exit 4", "status 4"),
    (#"echo '{"media":2,"model":"m@1","dimensions":2,"gives":["embed"]}'"#, "version 2"),
    (#"echo '{"media":1,"model":"m","dimensions":2,"gives":["embed"]}'"#, "NAME@HASH"),
    (#"echo '{"media":1,"model":"m@","dimensions":2,"gives":["embed"]}'"#, "NAME@HASH"),
    (#"echo '{"media":1,"model":"m@1","gives":["embed"]}'"#, "how many dimensions"),
    (#"echo '{"media":1,"model":"m@1","dimensions":100000,"gives":["embed"]}'"#, "how many dimensions"),
    (#"echo '{"media":1,"model":"m@1","dimensions":2,"gives":["smell"]}'"#, "nothing that is known"),
    ("no-such-program-of-anybody", "not found"),
  ]) func `a program that does not greet is of no use`(line: String, reason: String) async throws {
    let shop = try Shop()
    let program = program(line: line, in: shop)
    let error = await #expect(throws: DerivativeError.self) { try await program.model() }
    guard case .unavailable(let words) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(words.contains(reason), "\(words)")
  }

  @Test func `a program that comes back with another model is not believed`() async throws {
    let shop = try Shop()
    let blob = try shop.put(try Made.png(4, 4))
    let mark = "\(shop.scratch.path)/started"
    let other = Self.greeting.replacingOccurrences(of: "m@1", with: "m@2")
    let program = program(
      line: """
        if [ -e '\(mark)' ]; then echo '\(other)'; else touch '\(mark)'; echo '\(Self.greeting)'; fi
        read -r question
        """, in: shop)
    _ = try await program.model()
    guard case .undecodable = await failure(program, of: blob) else {
      Issue.record("it was not lost")
      return
    }
    let error = try #require(await failure(program, of: blob))
    guard case .unavailable(let words) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(words.contains("another model than before"))
  }

  @Test func `a program has the memory that the setting gives, and ends with what it started`() async throws {
    let shop = try Shop()
    let blob = try shop.put(try Made.png(4, 4))
    let limits = "\(shop.scratch.path)/limits"
    var program: ModelProgram? = program(
      "sleep 1000 & ulimit -d >'\(limits)'; echo $! >>'\(limits)'; " + Self.said(#""embed":"\#(Self.east)""#), in: shop,
      memory: 300 << 20)
    _ = try await program?.findings(of: blob)
    let lines = try String(contentsOfFile: limits, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(lines.first == "\(300 << 10)")
    let child = try #require(lines.last.flatMap { Int32($0) })
    #expect(kill(child, 0) == 0)
    program = nil
    // It is ended, and nobody waits for it but the system.
    while let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8), !state.contains(") Z") {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test func `embeddings keep their direction in a byte a dimension`() throws {
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let one = (0..<512).map { _ in Float.random(in: -1...1, using: &dice) }
      let other = (0..<512).map { index in one[index] / 2 + Float.random(in: -0.5...0.5, using: &dice) }
      func dot(_ one: [Float], _ other: [Float]) -> Double { zip(one, other).reduce(0) { $0 + Double($1.0 * $1.1) } }
      let exact = dot(one, other) / (dot(one, one) * dot(other, other)).squareRoot()
      let (left, right) = (try #require(Embedding(one)), try #require(Embedding(other)))
      #expect(abs(try #require(left.similarity(to: right)) - exact) < 0.01)
      #expect(Embedding(scale: left.scale, bytes: left.bytes) == left)
    }
    #expect(Embedding([1, 0])?.similarity(to: try #require(Embedding([1, 0, 0]))) == nil)
    #expect(Embedding([.greatestFiniteMagnitude, 0]) == Embedding([1, 0]))
    #expect(Embedding([]) == nil && Embedding([Float](repeating: 1, count: 5000)) == nil)
  }
}
