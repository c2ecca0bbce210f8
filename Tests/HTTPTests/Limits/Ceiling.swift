import Folders
import Foundation
import HTTP
import ScriptedOrigin
import Testing

/// Limits this process, which a test started for itself, to little more memory than it has. So a process that collects
/// an endless answer fails. A sanitizer needs more memory than can be predicted.
func limitMemory() {
  guard ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil else { return }
  let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first
  let maximum = rlim_t(UInt(pages ?? "")! * UInt(sysconf(Int32(_SC_PAGESIZE))) + 1 << 30)
  var limit = rlimit(rlim_cur: maximum, rlim_max: maximum)
  precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
}

@Suite struct CeilingTests {
  /// Whether the process gets twice as many addresses as the ceiling leaves it; nothing is written to them.
  private static var getsMuch: Bool {
    let most = 2 * Int(Ceiling.room)
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let bytes = mmap(nil, most, PROT_NONE, flags, -1, 0), bytes != MAP_FAILED else { return false }
    munmap(bytes, most)
    return true
  }

  private static func lift() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
    precondition(getrlimit(resource, &limit) == 0)
    limit.rlim_cur = limit.rlim_max
    precondition(setrlimit(resource, &limit) == 0)
  }

  @Test func `a suite has a ceiling from its first test to its last, and the process has none after it`() async {
    await #expect(processExitsWith: .success) {
      guard ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil else { return }
      // Tests that run beside this one have a ceiling, and this process was begun below it.
      Self.lift()
      #expect(Self.getsMuch)
      await Ceiling.during {
        await Ceiling.during { #expect(!Self.getsMuch) }
        #expect(!Self.getsMuch)
      }
      #expect(Self.getsMuch)
    }
  }

  @Test func `a process that keeps what a server sends without end does not outlive its ceiling`() async {
    await #expect(processExitsWith: .failure) {
      limitMemory()
      guard ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil else { exit(1) }
      let server = try RawServer([[.pour(Array("HTTP/1.1 200 OK\r\n\r\n".utf8), [UInt8](repeating: 1, count: 1 << 20))]]
      )
      let request = Request(.get, server.url, limit: 8 << 30)
      _ = try? await HTTPTests.session().transport.send(request)
    }
  }
}
