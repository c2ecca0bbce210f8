import Foundation
import HTTP
import Synchronization
import Testing

@testable import media

struct ClockWatchTests {
  /// 2026-11-21 10:00:00 UTC.
  private let noon = Date(timeIntervalSince1970: 1_795_255_200)

  /// The warnings about three answers with this date.
  private func said(_ date: String) async throws -> [String] {
    let said = Mutex([String]())
    let time = TimeSource(now: { noon }, sleep: { _ in }, chance: { 0 })
    let server = Transport(
      send: { _ throws(TransportError) in Response(status: 200, headers: ["Date": date]) },
      download: { _, _ throws(TransportError) in throw .cancelled })
    let watch = ClockWatch(time: time, once: Once()) { line in said.withLock { $0.append(line.text) } }
    for _ in 0..<3 { _ = try await watch.watching(server).send(Request(.get, "https://birds.example/api?secret=1")) }
    return said.withLock { $0 }
  }

  @Test func `a clock that differs by more than five minutes is reported once`() async throws {
    let cure = "check which one is wrong"
    #expect(
      try await said("Sat, 21 Nov 2026 11:07:00 GMT")
        == ["media: this machine's clock is 1 h 7 m behind that of birds.example: \(cure)"])
    #expect(
      try await said("Sat, 21 Nov 2026 09:54:00 GMT")
        == ["media: this machine's clock is 6 m ahead of that of birds.example: \(cure)"])
  }

  @Test(arguments: ["Sat, 21 Nov 2026 10:05:00 GMT", "Sat, 21 Nov 2026 09:55:00 GMT", "nonsense"])
  func `a small difference, or a missing date, is not reported`(date: String) async throws {
    #expect(try await said(date) == [])
  }
}
