import Machine

/// The user's browser, if there is a desktop.
enum Browser {
  /// Whether an address is a web address: the opener also opens files, programs and mail, and takes an address that begins
  /// with `-` for an option.
  static func takes(_ url: String) -> Bool {
    ["https://", "http://"].contains { url.lowercased().hasPrefix($0) }
      && url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  /// Opens a web page. Does nothing without a desktop; the address is printed in any case.
  static func open(_ url: String, _ environment: [String: String]) {
    guard takes(url) else { return }
    let hasDesktop = environment["DISPLAY"]?.isEmpty == false || environment["WAYLAND_DISPLAY"]?.isEmpty == false
    guard hasDesktop, let opener = Programs.onPath("xdg-open", environment) else { return }
    (try? ChildProcess(opener, [url]))?.waitInBackground()
  }
}
