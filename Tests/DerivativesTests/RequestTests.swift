import Blobs
import Foundation
import Testing

@testable import Derivatives

/// Requests that meet.
@Suite(.timeLimit(.minutes(10))) struct RequestTests {
  private func waiting(_ shop: Shop) -> String { "while [ ! -e \(shop.scratch.path)/go ]; do sleep 0.01; done" }
  private func go(_ shop: Shop) throws { try Data().write(to: URL(filePath: "\(shop.scratch.path)/go")) }
  private func wait(until condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func `equal requests share one job`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives(try shop.script("\(waiting(shop)); \(shop.good)"), children: 2)
    let blob = try shop.put(try Made.png(8, 8))
    let requests = (0..<20).map { _ in Task { await derivatives.result(blob) } }
    try await wait { derivatives.state.withLock { $0.answers.count == 20 } }
    try go(shop)
    for request in requests { #expect(try await request.value.get().byteCount > 0) }
    #expect(shop.asked.count == 1)
  }

  @Test func `a waiting derivative that is cancelled is not made, and one under way is only cached`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives(try shop.script("\(waiting(shop)); \(shop.good)"))
    let blobs = try (1...3).map { try shop.put(try Made.png($0, 1)) }
    let first = Task { await derivatives.result(blobs[0]) }
    try await wait { !shop.asked.isEmpty }
    let second = Task { await derivatives.result(blobs[1]) }
    try await wait { derivatives.state.withLock { $0.answers.count == 2 } }
    second.cancel()
    #expect(await second.value == .failure(.cancelled))
    first.cancel()
    #expect(await first.value == .failure(.cancelled))
    let third = Task { await derivatives.result(blobs[2]) }
    try go(shop)
    #expect(try await third.value.get().byteCount > 0)
    #expect(shop.asked.count == 2)
    #expect(try await derivatives.result(blobs[0]).get().byteCount > 0)
    #expect(shop.asked.count == 2)
  }

  @Test func `the newest request is served first, and the oldest dropped when there are too many`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives(try shop.script("\(waiting(shop)); \(shop.good)"), capacity: 2)
    let blobs = try (1...4).map { try shop.put(try Made.png($0, 1)) }
    var requests: [Task<Result<DerivativeFile, DerivativeError>, Never>] = []
    for (index, blob) in blobs.enumerated() {
      requests.append(Task { await derivatives.result(blob) })
      // The fourth drops the second.
      try await wait {
        index == 0 ? shop.asked.count == 1 : derivatives.state.withLock { $0.answers.count > min(index, 2) }
      }
      if index == 3 { #expect(await requests[1].value == .failure(.superseded)) }
    }
    try go(shop)
    for index in [0, 2, 3] { #expect(try await requests[index].value.get().byteCount > 0) }
    let order = shop.asked.compactMap { line in blobs.firstIndex { line.contains($0.hex.dropFirst(2)) } }
    #expect(order == [0, 3, 2])
  }

  @Test func `after a harvest small and medium derivatives are made, once`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives(children: 2)
    let blobs = try (1...5).map { try shop.put(try Made.png($0, 1)) } + [try shop.put(Array("no picture".utf8))]
    #expect(await derivatives.prepare(blobs) == 5)
    #expect(shop.cached.count == 10)
    // One child stays free for what somebody looks at.
    #expect(derivatives.processes.count == 1)
    let again = shop.derivatives("/nowhere")
    #expect(await again.prepare(blobs) == 5)
  }

  @Test func `preparing that is cancelled ends`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives(try shop.script("\(waiting(shop)); \(shop.good)"))
    let blobs = try (1...50).map { try shop.put(try Made.png($0, 1)) }
    let task = Task { await derivatives.prepare(blobs, sizes: [.small]) }
    try await wait { !shop.asked.isEmpty }
    task.cancel()
    #expect(await task.value == 0)
    try go(shop)
    #expect(derivatives.state.withLock { $0.answers.isEmpty })
  }
}
