import Foundation
import ScriptedOrigin
import Synchronization

/// Secrets that must not be found outside accounts.json.
final class Secrets: Sendable {
  private let sandbox: Sandbox
  private let known = Mutex(Set<String>())

  /// The secrets in accounts.json.
  init(in sandbox: Sandbox) throws {
    self.sandbox = sandbox
    let data = FileManager.default.contents(atPath: "\(sandbox.configuration)/accounts.json") ?? Data("{}".utf8)
    gather(try JSONSerialization.jsonObject(with: data))
  }

  func add(_ secret: String) { known.withLock { _ = $0.insert(secret) } }

  /// All secrets that an origin saw: tokens, codes, client secrets, verifiers.
  func add(from origin: Origin) {
    for request in origin.requests {
      if let token = request.token { add(token) }
      let form = request.form
      for name in ["code", "client_secret", "code_verifier", "token"] { form[name].map(add) }
    }
  }

  var count: Int { known.withLock(\.count) }

  /// The files that contain a secret, and which one: all commands' output, and all files of the sandbox.
  func leaks() throws -> [String] {
    let secrets = known.withLock { $0 }.sorted()
    let files = FileManager.default.enumerator(atPath: sandbox.folder)?.compactMap { $0 as? String } ?? []
    return files.filter { !$0.hasSuffix("/accounts.json") }.flatMap { file in
      let bytes = FileManager.default.contents(atPath: "\(sandbox.folder)/\(file)") ?? Data()
      return secrets.filter { bytes.range(of: Data($0.utf8)) != nil }.map { "\(file): \($0)" }
    }
  }

  private func gather(_ value: Any) {
    switch value {
    case let object as [String: Any]:
      for (name, value) in object {
        let isSecret = ["token", "secret", "verifier", "code"].contains { name.contains($0) }
        if isSecret, let text = value as? String, !text.hasPrefix("http") { add(text) }
        gather(value)
      }
    case let list as [Any]: for value in list { gather(value) }
    default: break
    }
  }
}
