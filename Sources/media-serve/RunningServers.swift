import FoundationEssentials
import Glibc
import Login

/// The galleries of the person that are served now, so that another one-time address leads to one of them, whatever its port.
///
/// They stand in a file beside the sign-ins, which they share. One counts as long as its process runs this program.
struct RunningServers {
  /// A gallery that is served.
  struct Server: Codable {
    let process: Int32
    /// The folder of its library.
    let library: String
    let address: String

    /// Whether it serves a library, which may be named by a link.
    func serves(_ library: String) -> Bool { Self.resolved(self.library) == Self.resolved(library) }

    private static func resolved(_ folder: String) -> String { URL(filePath: folder).resolvingSymlinksInPath().path }

    fileprivate var isRunning: Bool { process > 0 && Self.program("\(process)") == Self.program("self") }

    private static func program(_ process: String) -> Data? {
      FileManager.default.contents(atPath: "/proc/\(process)/comm")
    }
  }

  private let file: ProtectedFile

  /// Those whose sign-ins are in a folder.
  init(folder: String) {
    file = ProtectedFile(folder: folder, name: "gallery-running.json", content: "addresses")
  }

  /// The last one that was started; one of a library if there is any.
  func last(of library: String) -> Server? { all.last { $0.serves(library) } ?? all.last }

  /// The one at an address.
  func last(at address: String) -> Server? { all.last { $0.address == address } }

  /// This process serves a library at an address.
  func add(_ address: String, of library: String) {
    change { $0.append(Server(process: getpid(), library: library, address: address)) }
  }

  /// This process serves nothing any more.
  func remove() { change { $0.removeAll { $0.process == getpid() } } }

  private var all: [Server] {
    guard let bytes = try? file.read() else { return [] }
    return ((try? JSONDecoder().decode([Server].self, from: Data(bytes))) ?? []).filter(\.isRunning)
  }

  /// Where nothing can be written, an address is asked for by its port.
  private func change(_ body: (inout [Server]) -> Void) {
    try? file.locked { () throws(AccountsError) in
      var servers = all
      body(&servers)
      if let bytes = try? JSONEncoder().encode(servers) { try file.replace(with: Array(bytes)) }
    }
  }
}
