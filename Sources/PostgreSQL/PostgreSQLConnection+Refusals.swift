import CPostgreSQL
import Glibc

// Why no server accepts a connection, by the codes of servers. Their words are in any language.

extension PostgreSQLConnection {
  /// How long is waited for a server that is asked once more for its code, in seconds.
  private static let patience = "2"
  /// The server is starting or stopping.
  private static let notNow = "57P03"

  /// Why a connection failed.
  ///
  /// - Parameters:
  ///   - failed: The connection, before it is finished.
  ///   - settings: What it was made from.
  static func failure(
    of failed: OpaquePointer, _ settings: [(String, String)], _ driver: Driver
  ) -> PostgreSQLError {
    let reason = line(driver.call.errorMessage(failed))
    let files = Files(of: failed, driver.call)
    // libpq itself has found that there is no password.
    if driver.call.connectionNeedsPassword(failed) == 1 {
      return .connectionRefused(.init(state: "28P01", message: reason))
    }
    if let refusal = refusal(settings, driver) {
      if refusal.state == "28000", let file = files.missingCertificate { return .noCertificate(path: file) }
      return .connectionRefused(refusal)
    }
    if let file = files.missingRoot { return .noCertificate(path: file) }
    return .noConnection(reason: reason)
  }

  /// Asks the servers once more, in a form in which libpq passes on their codes. It does so only for connections that are
  /// begun without waiting, and waits only for those that are begun anew.
  private static func refusal(
    _ settings: [(String, String)], _ driver: Driver
  ) -> PostgreSQLError.Refusal? {
    let call = driver.call
    let settings = settings + [("connect_timeout", patience)]
    let begun = withCStrings(settings.map(\.0)) { keywords in
      withCStrings(settings.map(\.1)) { values in call.connectStartParams(keywords, values, 1) }
    }
    guard let begun else { return nil }
    defer { call.finish(begun) }
    _ = call.setErrorVerbosity(begun, PQERRORS_VERBOSE)
    call.reset(begun)
    guard call.status(begun) != CONNECTION_OK, let message = call.errorMessage(begun) else { return nil }
    return String(cString: message).split(separator: "\n").lazy.compactMap { line -> PostgreSQLError.Refusal? in
      guard let match = line.firstMatch(of: #/:  ([0-9A-Z]{5}): /#), match.1 != notNow else { return nil }
      return PostgreSQLError.Refusal(
        state: String(match.1), message: String(line.replacing("\(match.1): ", with: "")))
    }.first
  }

  /// The files of certificates that a connection was to use.
  private struct Files {
    /// The file with the authorities, if it is needed and not there. libpq names its folder.
    private(set) var missingRoot: String?
    /// The file with the user's certificate or its key, if it was named and is not there.
    private(set) var missingCertificate: String?

    init(of connection: OpaquePointer, _ call: PQShim) {
      var values: [String: String] = [:]
      guard let options = call.conninfo(connection) else { return }
      defer { call.conninfoFree(options) }
      var option = options
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
        option += 1
      }
      let home = getenv("HOME").map { String(cString: $0) } ?? ""
      let root = values["sslrootcert"] ?? "\(home)/.postgresql/root.crt"
      if values["sslmode"]?.hasPrefix("verify-") == true, root != "system", access(root, F_OK) != 0 {
        missingRoot = root
      }
      missingCertificate = ["sslcert", "sslkey"].compactMap { values[$0] }.first { access($0, F_OK) != 0 }
    }
  }
}
