import Foundation
import Posts

/// The person's browser, where there is one to open.
enum Browser {
  /// Whether an address is one of the web: what opens it opens files, programs and mail by others, and takes one that
  /// begins with `-` for an option.
  static func takes(_ url: String) -> Bool {
    ["https://", "http://"].contains { url.lowercased().hasPrefix($0) }
      && url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  /// Opens a page of the web; without a desktop nothing happens, the address stands in the terminal all the same.
  static func open(_ url: String, _ environment: [String: String]) {
    guard takes(url) else { return }
    let hasDesktop = environment["DISPLAY"]?.isEmpty == false || environment["WAYLAND_DISPLAY"]?.isEmpty == false
    guard hasDesktop, let opener = Programs.onPath("xdg-open", environment) else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: opener)
    process.arguments = [url]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }
}
