import Blobs
import Foundation
import Testing

@testable import Derivatives

/// The children: the built program, and shell scripts that misbehave.
@Suite(.timeLimit(.minutes(10))) struct ChildTests {
  @Test func `a killed child costs the blob under way alone`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives()
    _ = try await derivatives.file(for: try shop.put(try Made.png(9, 9)), size: .small)
    let first = try #require(derivatives.processes.first)
    kill(first, SIGKILL)
    let blob = try shop.put(try Made.png(8, 8))
    #expect(await derivatives.result(blob) == .failure(.undecodable("it ended the program that decodes")))
    _ = try await derivatives.file(for: try shop.put(try Made.png(7, 7)), size: .small)
    #expect(derivatives.processes != [first])
  }

  @Test(arguments: ["kill -9 $$", "exit 0"])
  func `a blob that ends its child is not tried again for an hour`(answer: String) async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives(try shop.script(answer))
    let blob = try shop.put(try Made.png(8, 8))
    let failure = Result<DerivativeFile, DerivativeError>.failure(.undecodable("it ended the program that decodes"))
    for size in [Derivatives.Size.small, .small, .large] { #expect(await derivatives.result(blob, size) == failure) }
    #expect(shop.asked.count == 1)
    shop.pass(3599)
    #expect(await derivatives.result(blob) == failure)
    #expect(shop.asked.count == 1)
    shop.pass(2)
    #expect(await derivatives.result(blob) == failure)
    #expect(shop.asked.count == 2)
    // Whoever starts anew tries anew.
    #expect(await shop.derivatives(try shop.script(shop.good)).result(blob) != failure)
  }

  @Test func `a child that hangs is ended at the time limit`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives(timeLimit: .seconds(60))
    _ = try await derivatives.file(for: try shop.put(try Made.png(9, 9)), size: .small)
    let first = try #require(derivatives.processes.first)
    kill(first, SIGSTOP)
    let blob = try shop.put(try Made.png(8, 8))
    let request = Task { await derivatives.result(blob) }
    let isWaiting = { derivatives.state.withLock { !$0.answers.isEmpty } }
    while !isWaiting() { try await Task.sleep(for: .milliseconds(5)) }
    while isWaiting() {
      shop.elapsed.withLock { $0 += .seconds(61) }
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(await request.value == .failure(.undecodable("it took longer than 60 s to decode")))
    #expect(derivatives.processes.isEmpty)
    #expect(kill(first, 0) == -1 && errno == ESRCH)
  }

  @Test(arguments: [
    "echo nonsense", #"printf '{"id":77,"parts":[]}\n'"#, #"printf '{"id":%s,"parts":[]}\n' "$id""#,
    #"printf '{"id":%s,"parts":[{"bytes":3,"edge":320}]}\nabc' "$id""#,
    #"printf '{"id":%s,"parts":[{"bytes":3,"edge":640}]}\nabc' "$id""#,
    #"printf '{"id":%s,"parts":[{"bytes":99999999999,"edge":320}]}\nabc' "$id""#, "yes",
    #"printf '{"id":%s,"parts":[{"bytes":60,"edge":320}]}\n<html>%054d' "$id" 1"#,
  ])
  func `nothing but a picture is taken from a child`(answer: String) async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives(try shop.script(answer))
    let result = await derivatives.result(try shop.put(try Made.png(8, 8)))
    #expect(result == .failure(.undecodable("the program that decodes sent no picture")))
    #expect(derivatives.processes.isEmpty)
    #expect(shop.cached.isEmpty)
  }

  @Test func `a derivative larger than its size is not taken`() async throws {
    let shop = try Shop()
    let program = try shop.script(shop.good)
    try Data(try Made.webp(321, 6)).write(to: URL(filePath: "\(shop.scratch.path)/answer.webp"))
    let result = await shop.derivatives(program).result(try shop.put(try Made.png(8, 8)))
    #expect(result == .failure(.undecodable("the program that decodes sent no picture")))
  }

  @Test(arguments: [
    ("exit 127", "ends at once"), ("echo 'media-picture 1'; cat", "is of another version"),
  ])
  func `without the program no blob is at fault`(script: String, reason: String) async throws {
    let shop = try Shop()
    let program = try shop.script(shop.good)
    let blob = try shop.put(try Made.png(8, 8))
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: "\(shop.scratch.path)/draft"))
    let install = try Process.run(
      URL(filePath: "/usr/bin/install"), arguments: ["-m", "755", "\(shop.scratch.path)/draft", program])
    install.waitUntilExit()
    let derivatives = shop.derivatives(program)
    #expect(await derivatives.result(blob) == .failure(.unavailable("\(program) \(reason)")))
    _ = try shop.script(shop.good)
    #expect(try await derivatives.seen(blob).size == [8, 6])
  }

  @Test func `there are as many children as allowed, they are used again, and idle ones end`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives(children: 2, timeLimit: .seconds(600))
    #expect(derivatives.processes.isEmpty)
    let blobs = try (1...20).map { try shop.put(try Made.png($0, 9)) }
    await withTaskGroup(of: Void.self) { group in
      for blob in blobs { group.addTask { _ = await derivatives.result(blob) } }
    }
    #expect(shop.cached.count == 20)
    let processes = derivatives.processes
    #expect(processes.count == 2)
    for blob in blobs { _ = await derivatives.result(blob, .medium) }
    #expect(derivatives.processes == processes)
    shop.elapsed.withLock { $0 += .seconds(20) }
    derivatives.endIdleChildren()
    #expect(derivatives.processes == processes)
    shop.elapsed.withLock { $0 += .seconds(11) }
    derivatives.endIdleChildren()
    #expect(derivatives.processes.isEmpty)
    for process in processes { #expect(kill(process, 0) == -1 && errno == ESRCH) }
    _ = try await derivatives.file(for: blobs[0], size: .large)
    #expect(derivatives.processes.count == 1)
    await derivatives.run()
    #expect(derivatives.processes.isEmpty)
  }
}
