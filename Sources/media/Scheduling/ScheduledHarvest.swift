import Glibc
import HTTP
import Machine

/// The scheduled harvest: which program, for which library, with which environment.
struct ScheduledHarvest: Equatable, Sendable {
  let program: String
  let library: String
  /// Whether the library is the one that commands use if nothing names another.
  let isOfUsualLibrary: Bool
  /// The program's environment; cron and systemd provide almost nothing.
  let environment: [(name: String, value: String)]
  static let arguments = ["harvest", "--due", "--quiet"]

  static func == (left: Self, right: Self) -> Bool {
    left.program == right.program && left.library == right.library
      && left.environment.elementsEqual(right.environment, by: ==)
  }

  /// The variables that decide how servers are reached: proxies, and files.
  private static let proxies = [
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
  ]
  private static let files = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "NETRC"]

  /// The harvest of a library as it would run now. A proxy's address with a password is left out: it does not belong in a
  /// crontab or a unit.
  init(program: String, paths: LibraryPaths, environment: [String: String]) {
    self.program = program
    library = paths.library
    isOfUsualLibrary = paths.isUsual
    let home = program.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    let kept = (Self.proxies + Self.files).compactMap { name -> (name: String, value: String)? in
      guard let value = environment[name], !value.isEmpty else { return nil }
      let holdsLogin = value.utf8.contains(UInt8(ascii: "@"))
      return Self.files.contains(name) || !holdsLogin ? (name, value) : nil
    }
    self.environment =
      [("PATH", "\(home.isEmpty ? "/" : home):/usr/local/bin:/usr/bin:/bin")] + paths.variables + kept
  }

  /// Distinguishes this library's schedule from those of others.
  var name: String {
    Digest.sha256(Array(library.utf8)).prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The log file of a crontab's line.
  var log: String { "\(library)/harvest.log" }

  /// Makes the log of earlier harvests readable only by the user.
  func closeLog() {
    guard let file = OpenFile(log, O_RDWR) else { return }
    fchmod(file.descriptor, 0o600)
  }

  private var commandLine: [String] { [program] + Self.arguments + ["--library", library] }

  /// The line of a crontab, without its line end. Users may set another shell above it for their own lines, and a setting
  /// of ours would apply to all lines below. So whichever shell reads the line finds one plain command with one argument
  /// for sh. Only the user may read its output, whatever cron's umask is.
  func cronLine(_ interval: CronInterval) throws(ScheduleError) -> String {
    let all = commandLine + [log] + environment.map(\.value)
    if let unfit = all.first(where: { $0.contains { $0.isNewline || $0 == "\0" } }) { throw .unfitPath(unfit) }
    let variables = environment.map { "\($0.name)=\(Self.shellWord($0.value))" }
    let call = variables + commandLine.map(Self.shellWord) + [">>", Self.shellWord(log), "2>&1"]
    let command = "umask 077; \(call.joined(separator: " "))"
    let line = "\(Self.cronText("/bin/sh -c \(Self.anyShellWord(command))")) \(Crontab.mark(name))"
    guard line.utf8.count <= 998 else { throw .tooLong }
    return "\(interval.fields) \(line)"
  }

  /// Quoted for a POSIX shell.
  static func shellWord(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
    return isPlain ? text : "'\(text.replacingScalars("'", with: #"'\''"#))'"
  }

  /// Quoted for a POSIX shell and for csh, which expands `!` even within quotes.
  static func anyShellWord(_ text: String) -> String {
    "'\(text.replacingScalars("'", with: #"'\''"#).replacingScalars("!", with: #"'\!'"#))'"
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-:,@+".utf8)

  /// Quoted for cron, where a bare `%` ends the line. A backslash protects it, unless another backslash precedes: there the
  /// shell's quotes are closed and opened again between them.
  static func cronText(_ text: String) -> String {
    text.replacingScalars(#"\%"#, with: #"\''%"#).replacingScalars("%", with: #"\%"#)
  }
}

extension ScheduledHarvest {
  /// What of the service is this harvest's own (systemd.service(5)). An empty assignment takes back what stands in the unit.
  var serviceDropIn: String {
    let variables = environment.map { "Environment=\(Self.unitWord("\($0.name)=\($0.value)"))" }
    return """
      [Service]
      \(variables.joined(separator: "\n"))
      ExecStart=
      ExecStart=\(commandLine.map { Self.unitWord($0.replacingScalars("$", with: "$$")) }.joined(separator: " "))

      """
  }

  /// What of the timer is this harvest's own (systemd.timer(5), which supports any interval).
  func timerDropIn(every interval: Duration) -> String {
    """
    [Timer]
    OnActiveSec=
    OnActiveSec=\(interval.components.seconds)
    OnUnitActiveSec=\(interval.components.seconds)

    """
  }

  /// Quoted as in systemd.syntax(7).
  static func unitWord(_ text: String) -> String {
    let marks = [(#"\"#, #"\\"#), ("\"", #"\""#), ("%", "%%"), ("\n", #"\n"#)]
    let escaped = marks.reduce(text) { $0.replacingScalars($1.0, with: $1.1) }
    return "\"\(escaped)\""
  }
}

extension String {
  /// Replaces scalars, because a mark with a combining character is another `Character`, but the same mark for a shell,
  /// cron or systemd.
  fileprivate func replacingScalars(_ marks: String, with others: String) -> String {
    var (rest, out) = (Array(utf8)[...], [UInt8]())
    let wanted = Array(marks.utf8)
    while let byte = rest.first {
      let isThere = rest.starts(with: wanted)
      out += isThere ? Array(others.utf8) : [byte]
      rest = rest.dropFirst(isThere ? wanted.count : 1)
    }
    return String(decoding: out, as: UTF8.self)
  }
}
