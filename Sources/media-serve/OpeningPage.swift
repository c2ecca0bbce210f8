import Dispatch
import Glibc
import Login
import Machine

/// Opens the browser at a one-time address.
///
/// Everybody on the machine can read the arguments of a program, so the browser gets the path of a page that only the person
/// can read, and that leads to the address. The printed address stays good for another browser.
struct OpeningPage: Sendable {
  private let file: ProtectedFile
  private let path: String

  init(folder: String) {
    file = ProtectedFile(folder: folder, name: "gallery-open.html", content: "a one-time address")
    path = "\(folder)/gallery-open.html"
  }

  /// Does nothing without a desktop: the address is printed in any case.
  func open(_ address: String) {
    let environment = Environment.all
    let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    guard hasDesktop, let opener = Programs.onPath("xdg-open", environment) else { return }
    let page = """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0;url=\(address)"><a href="\(address)">The gallery</a>

      """
    do {
      try file.locked { () throws(AccountsError) in try file.replace(with: Array(page.utf8)) }
      let process = try Spawning.start(opener, [path], files: (nil, nil, nil))
      DispatchQueue.global().async { Spawning.wait(for: process) }
    } catch {
      complain("media: the browser cannot be opened (\(error))", .warning)
    }
  }

  func remove() { unlink(path) }
}

private enum Environment {
  /// This program's environment.
  static var all: [String: String] {
    var all: [String: String] = [:]
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "PATH"] { all[name] = getenv(name).map { String(cString: $0) } }
    return all
  }
}
