import Dispatch
import Foundation

/// A picture drawn in the terminal by `chafa`, where that is installed.
///
/// The bytes come from strangers: they are decoded in a process of its own, with little memory and little time, whose
/// end is nobody else's.
struct DrawnPicture {
  private static let seconds = 5
  private static let bytes = 1 << 30

  private let chafa: String
  private let limiter: String?

  /// The drawer, nil where the machine has none.
  init?(_ environment: [String: String]) {
    guard let chafa = Browser.find("chafa", environment) else { return nil }
    self.chafa = chafa
    limiter = Browser.find("prlimit", environment)
  }

  /// Draws a file straight to standard output; whatever cannot be drawn leaves no trace but its room.
  func draw(_ path: String, columns: Int, rows: Int) {
    let drawing = [chafa, "--animate=off", "--size=\(columns)x\(rows)", "--", path]
    let limits = limiter.map { [$0, "--as=\(Self.bytes)", "--cpu=\(Self.seconds)"] } ?? []
    let words = limits + drawing
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return }
    let deadline = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.seconds), execute: deadline)
    process.waitUntilExit()
    deadline.cancel()
  }
}
