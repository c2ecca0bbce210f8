import MediaLibrary
import Terminal

@testable import Browse

/// Effects as tests name them.
extension Effect {
  static func delete(_ ids: [Int64]) -> Effect { .write(.change(.delete(ids))) }
  static func restore(_ ids: [Int64]) -> Effect { .write(.change(.restore(ids))) }
  static func add(_ text: String) -> Effect { .write(.change(.add(text))) }
  static func write(_ entry: EntryWrite) -> Effect { .write(.change(.write(entry))) }
  static func set(_ name: String, _ value: String) -> Effect { .write(.set(name, value)) }
  static var tags: Effect { .write(.tags) }
  static var countDeleted: Effect { .read(.countDeleted) }
  static func load(_ part: ReadEffect.ListRead) -> Effect { .read(.load(part)) }
  static func search(_ text: String) -> Effect { .read(.search((try? Filter(parsing: text)) ?? .everything)) }
  static func choose(_ text: String) -> Effect { .read(.choose(text)) }
  static func searchThere(_ text: String) -> Effect { .read(.searchThere(text)) }
  static var logIn: Effect { .login(.begin) }
  static func logInWith(_ keys: LoginKeys) -> Effect { .login(.beginWith(keys)) }
  static func finishLogIn(_ code: String) -> Effect { .login(.finish(code)) }
  static func open(_ url: String) -> Effect { .open(.page(url)) }
  static func openFile(_ blob: BlobID) -> Effect { .open(.file(blob, name: nil)) }
  static func copy(_ text: SafeText) -> Effect { .terminal(.copy(text)) }
  static var redraw: Effect { .terminal(.redraw) }
  static var suspend: Effect { .terminal(.suspend) }
  static var quit: Effect { .terminal(.quit) }
  static var interrupt: Effect { .terminal(.interrupt) }

  static func fetch(_ posts: [Int64], retryFailed: Bool, gone: Bool = false) -> Effect {
    .fetch(PictureFetch(posts, retryFailed: retryFailed, gone: gone))
  }
}
