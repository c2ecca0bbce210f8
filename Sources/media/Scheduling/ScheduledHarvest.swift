import Foundation
import HTTP

/// The harvest that is run from time to time: which program, for which library, in which surroundings.
struct ScheduledHarvest: Equatable, Sendable {
  let program: String
  let library: String
  /// What the program finds in its environment; cron and systemd give it next to nothing.
  let environment: [(name: String, value: String)]
  static let arguments = ["harvest", "--due", "--quiet"]

  static func == (left: Self, right: Self) -> Bool {
    left.program == right.program && left.library == right.library
      && left.environment.elementsEqual(right.environment, by: ==)
  }

  /// What of a person's environment decides how servers are reached: proxies, and files.
  private static let proxies = [
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
  ]
  private static let files = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "NETRC"]

  /// The harvest of a library as it would run now. A proxy's address that holds a password is left out: neither a crontab
  /// nor a unit is a place for it.
  init(program: String, places: Places, environment: [String: String]) {
    self.program = program
    library = places.library
    let home = program.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    let kept = (Self.proxies + Self.files).compactMap { name -> (name: String, value: String)? in
      guard let value = environment[name], !value.isEmpty else { return nil }
      return Self.files.contains(name) || !value.contains("@") ? (name, value) : nil
    }
    self.environment =
      [("PATH", "\(home.isEmpty ? "/" : home):/usr/local/bin:/usr/bin:/bin")] + places.variables + kept
  }

  /// What tells this library's schedule from that of another.
  var name: String {
    Digest.sha256(Array(library.utf8)).prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Where a crontab's line writes what goes wrong.
  var log: String { "\(library)/harvest.log" }

  /// Lets nobody else read a log that earlier harvests have left.
  func closeLog() {
    guard let file = FileHandle(forUpdatingAtPath: log) else { return }
    fchmod(file.fileDescriptor, 0o600)
  }

  private var words: [String] { [program] + Self.arguments + ["--library", library] }

  /// The line of a crontab, without its end. A person may have set another shell above it for lines of their own, and a
  /// setting of ours would hold for all below it: whichever reads the line finds one plain command with one word for sh.
  /// What it writes nobody else may read, whatever cron's own umask is.
  func cronLine(_ interval: CronInterval) throws(ScheduleError) -> String {
    let all = words + [log] + environment.map(\.value)
    if let unfit = all.first(where: { $0.contains { $0.isNewline || $0 == "\0" } }) { throw .unfitPath(unfit) }
    let variables = environment.map { "\($0.name)=\(Self.shellWord($0.value))" }
    let call = variables + words.map(Self.shellWord) + [">>", Self.shellWord(log), "2>&1"]
    let command = "umask 077; \(call.joined(separator: " "))"
    let line = "\(Self.cronText("/bin/sh -c \(Self.anyShellWord(command))")) \(Crontab.mark(name))"
    guard line.utf8.count <= 998 else { throw .tooLong }
    return "\(interval.fields) \(line)"
  }

  /// As a POSIX shell reads it back.
  static func shellWord(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
    return isPlain ? text : "'\(text.replacingScalars("'", with: #"'\''"#))'"
  }

  /// As a POSIX shell reads it back, and csh, too, which takes a `!` for history within quotes as well.
  static func anyShellWord(_ text: String) -> String {
    "'\(text.replacingScalars("'", with: #"'\''"#).replacingScalars("!", with: #"'\!'"#))'"
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-:,@+".utf8)

  /// As cron reads it back: a bare `%` would end the line. A backslash before one protects it, but not where another
  /// stands before that: there the shell's quotes are closed and opened again between them.
  static func cronText(_ text: String) -> String {
    text.replacingScalars(#"\%"#, with: #"\''%"#).replacingScalars("%", with: #"\%"#)
  }
}

extension ScheduledHarvest {
  /// The service that systemd runs (systemd.service(5)).
  var service: String {
    let variables = environment.map { "Environment=\(Self.unitWord("\($0.name)=\($0.value)"))" }
    return """
      [Unit]
      Description=Harvest of the followed feeds into a media library

      [Service]
      Type=oneshot
      \(variables.joined(separator: "\n"))
      ExecStart=\(words.map { Self.unitWord($0.replacingScalars("$", with: "$$")) }.joined(separator: " "))

      """
  }

  /// When it runs it (systemd.timer(5)): any interval will do.
  func timer(every interval: Duration) -> String {
    """
    [Unit]
    Description=Harvest of the followed feeds, every \(Measures.text(interval))

    [Timer]
    OnActiveSec=\(interval.components.seconds)
    OnUnitActiveSec=\(interval.components.seconds)
    AccuracySec=1s

    [Install]
    WantedBy=timers.target

    """
  }

  /// As systemd.syntax(7) reads it back.
  static func unitWord(_ text: String) -> String {
    let marks = [(#"\"#, #"\\"#), ("\"", #"\""#), ("%", "%%"), ("\n", #"\n"#)]
    let escaped = marks.reduce(text) { $0.replacingScalars($1.0, with: $1.1) }
    return "\"\(escaped)\""
  }
}

extension String {
  /// A mark with a combining character behind it is another `Character`, and yet the mark for a shell, cron or systemd.
  fileprivate func replacingScalars(_ marks: String, with others: String) -> String {
    replacingOccurrences(of: marks, with: others, options: .literal)
  }
}
