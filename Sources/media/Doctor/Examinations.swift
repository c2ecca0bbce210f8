import Blobs
import FoundationEssentials
import Glibc
import HTTP
import Login
import Machine
import Pictures
import Posts
import Services
import Storage
import Transfer
import Wording

/// What a doctor examines.
struct Examinations: Sendable {
  let library: LibraryOpener
  let settings: LibrarySettings
  let accounts: Accounts
  let transports: TransportFactory
  let schedule: Schedule
  let environment: [String: String]
  let time: TimeSource

  /// The most servers that are asked, and the most findings of one kind that are named.
  private static let most = 20
  /// How long a server may take.
  private static let patience = Duration.seconds(8)
  /// A clock that is further off than this makes logins and signed requests fail.
  private static let clockLimit: TimeInterval = 60

  var all: [Examination] {
    [
      Examination(name: "program") { [.good("media \(Media.version)")] },
      blocking("configuration", configuration), blocking("library", stored), blocking("services", services),
      blocking("disk", disk), blocking("pictures", pictures), blocking("decoders", decoders),
      blocking("extractors", extractors),
      blocking("feeds", feeds), blocking("harvests", harvests), Examination(name: "logins") { try await loggedIn() },
      Examination(name: "servers") { try await servers() },
    ]
  }

  private func blocking(_ name: String, _ examine: @escaping @Sendable () throws -> [Diagnosis]) -> Examination {
    let work = BlockingExecutor("doctor.\(name)")
    return Examination(name: name) { try await work.run(examine) }
  }

  private func withStore<Value>(_ body: (Store) throws -> Value) throws -> Value? {
    // What is asked here makes no library.
    try library.expectIfNamed()
    return try library.exists ? library.withStore(for: .reading, body) : nil
  }

  // MARK: Files

  private func configuration() throws -> [Diagnosis] {
    let folder = settings.paths.configuration
    let ignored = try settings.ignoredMessage().map { Diagnosis(.notice, $0.text) }
    return [ignored ?? .good(folder)]
  }

  private func stored() throws -> [Diagnosis] {
    guard let stats = try withStore({ try $0.stats() }) else {
      return [
        Diagnosis(
          .notice, "there is no library at \(library.shownPath) yet",
          cure: "\"media tag cats --server mastodon.social\" makes one")
      ]
    }
    let posts = NumberText.count(stats.posts, "post")
    let found = Diagnosis.good(
      "\(library.shownPath): \(posts), \(NumberText.bytes(stats.blobBytes)) of pictures and files")
    return library.address == nil ? [found] + unfitFiles() : [found]
  }

  /// How fast the database and the place of the pictures of a shared library answer.
  private func services() throws -> [Diagnosis] {
    guard let address = library.address else { return [] }
    return [
      answer("the database of \(address.shown)") { _ = try withStore { try $0.feeds() } },
      // Which place it is, the open library says.
      answer("the place of its pictures") {
        try withStore { _ in _ = try library.blobs.stat(BlobID(hashing: [])) }
      },
    ]
  }

  private func answer(_ name: String, _ ask: () throws -> Void) -> Diagnosis {
    let clock = ContinuousClock()
    let start = clock.now
    do { try ask() } catch { return Diagnosis(error) }
    return .good("\(name) answers within \(max(1, Int((clock.now - start) / .milliseconds(1)))) ms")
  }

  /// What keeps this user from writing, or lets others write.
  private func unfitFiles() -> [Diagnosis] {
    ["", "/media.sqlite", "/blobs"].compactMap { name in
      let path = library.path + name
      var facts = stat()
      guard lstat(path, &facts) == 0 else { return nil }
      if access(path, W_OK) != 0 {
        let owner = facts.st_uid == geteuid() ? "" : ", for it belongs to another user"
        return Diagnosis(
          .problem, "\(path) may not be written\(owner)", cure: "run media as its owner, or \"chown\" it",
          exitCode: .storage)
      }
      guard facts.st_mode & 0o022 != 0, facts.st_mode & S_IFMT != S_IFLNK else { return nil }
      return Diagnosis(.notice, "others may write to \(path)", cure: "\"chmod go-w \(ShellText.word(path))\"")
    }
  }

  private func disk() -> [Diagnosis] {
    // Folders that are not there yet will be on the disk of the first one above them that is.
    var folder = library.path
    while DiskRoom(of: folder) == nil, folder != "/", !folder.isEmpty { folder = PathText.parent(of: folder) }
    guard let room = DiskRoom(of: folder) else {
      return [Diagnosis(.unknown, "the system does not say how much room there is")]
    }
    let notices = Notices(now: time.now(), times: MomentText())
    if let notice = notices.all(disk: room, library: library.path, accounts: [], failing: []).first {
      return [Diagnosis(.problem, notice.message, exitCode: .storage)]
    }
    return [.good("\(NumberText.bytes(Int(room.free))) are free")]
  }

  private func pictures() throws -> [Diagnosis] {
    guard let stats = try withStore({ try $0.stats() }) else { return [] }
    let (failed, pending) = (stats.pictures[.failed] ?? 0, stats.pictures[.pending] ?? 0)
    var found: [Diagnosis] = []
    if failed > 0 {
      found.append(
        Diagnosis(
          .notice, "\(NumberText.count(failed, "picture")) failed",
          cure: "\"media gaps --fill\" tries again those that are due"))
    }
    if pending > 0 {
      found.append(
        Diagnosis(.notice, "\(NumberText.count(pending, "picture")) wait", cure: "\"media harvest\" fetches them"))
    }
    let stored = NumberText.grouped(stats.pictures[.stored] ?? 0)
    if found.isEmpty { found.append(.good("\(stored) stored, none is missing")) }
    let inspected = try withStore { store in
      let settings = try settings.read(in: store)
      let languages = settings.textLanguages
      return (try store.inspectionProgress(in: languages?.text), languages, settings.look != nil)
    }
    guard let (progress, languages, hasModel) = inspected, progress.files > 0 else { return found }
    let text = "\(progress.text) were looked at"
    let byModel = progress.modelText.map { text in
      hasModel && progress.inspected[.model] ?? 0 < progress.files
        ? Diagnosis(.notice, "\(text) were looked at", cure: "\"media look\" does the others")
        : .good("\(text) were looked at")
    }
    return found + (byModel.map { [$0] } ?? []) + [
      progress.whole < progress.files
        ? Diagnosis(.notice, text, cure: "\"media look\" does the others") : .good(text)
    ] + (languages.map { [self.text(progress, in: $0)] } ?? [])
  }

  /// How far the reading of text in pictures came.
  private func text(_ progress: InspectionProgress, in languages: TextLanguages) -> Diagnosis {
    if let obstacle = languages.obstacle(environment) {
      let text = "text in pictures is not read: \(obstacle)"
      // Who named no language may do without.
      return languages.text == SettingKey.textLanguages.standard
        ? .good(text)
        : Diagnosis(.notice, text, cure: "or turn it off by \"media settings text-languages off\"")
    }
    let text = "text was looked for in \(progress.textProgress)"
    return (progress.inspected[.text] ?? 0) < progress.pictures
      ? Diagnosis(.notice, text, cure: "\"media look --only text\" does the others") : .good(text)
  }

  /// Which types of pictures and videos can be drawn, and the packages of Debian that draw the others.
  private func decoders() throws -> [Diagnosis] {
    let program: String
    do { program = try PictureProgram.find(environment) } catch {
      return [
        Diagnosis(
          .problem, "\(PictureProgram.name), which draws pictures, is neither beside media nor on PATH",
          cure: "install the whole package")
      ]
    }
    let ended = try? Program(at: program).run([FormatsProtocol.mode])
    guard let ended, ended.status == 0 else {
      return [
        Diagnosis(.problem, "\(program) does not start", cure: "install the libraries that it names when it is run")
      ]
    }
    let drawn = Set(String(decoding: ended.output, as: UTF8.self).split(separator: "\n").map(String.init))
    let missing = FormatsProtocol.known.filter { !drawn.contains($0.name) }
    let names = FormatsProtocol.known.map(\.name).filter(drawn.contains).joined(separator: ", ")
    let rare = missing.filter { !$0.isCommon }.map { "\($0.name) (\($0.package))" }
    return [.good("draws \(names)\(rare.isEmpty ? "" : "; not \(rare.joined(separator: ", "))")")]
      + missing.filter(\.isCommon).map { format in
        Diagnosis(.notice, "nothing here draws \(format.name)", cure: "\"apt install \(format.package)\"")
      }
  }

  /// The programs that read other sites, if they may be started.
  private func extractors() throws -> [Diagnosis] {
    let isAllowed = try library.withStore(for: .reading) { try settings.read(in: $0).extractors }
    guard isAllowed else { return [.good("not asked for: the setting extractors is off")] }
    let found = try Extractor.all.compactMap { extractor in
      try Programs.onPath(extractor.name, environment).map { path -> Diagnosis in
        let ended = try Program(at: path).run(["--version"])
        let version = String(decoding: ended.output.prefix(40), as: UTF8.self).trimmingWhiteSpace
        return ended.status == 0
          ? .good("\(extractor.name) \(version)")
          : Diagnosis(.problem, "\(path) does not start", cure: "install it anew")
      }
    }
    return found.isEmpty
      ? [Diagnosis(.problem, "neither gallery-dl nor yt-dlp is on PATH", cure: "install one, or set extractors to off")]
      : found
  }

  // MARK: Feeds

  private func feeds() throws -> [Diagnosis] {
    guard let (follows, gaps) = try withStore({ (try $0.follows(), try $0.gaps(of: nil) { _ in false }) }) else {
      return []
    }
    let ill = follows.filter { [.failing, .login, .gone].contains($0.schedule.state) }
    var found = ill.prefix(Self.most).map { follow in
      let text = FollowText(follow)
      let state: Diagnosis.State = follow.schedule.state == .gone ? .notice : .problem
      return Diagnosis(
        state, "\(follow.feed.spoken): \(text.sentence(MomentText(), delay: nil))",
        cure: text.cure.map { "\"\($0)\"" })
    }
    if ill.count > Self.most { found.append(Diagnosis(.problem, "\(ill.count - Self.most) more fail")) }
    if !gaps.isEmpty {
      found.append(
        Diagnosis(.notice, "\(NumberText.count(gaps.count, "gap")) known", cure: "\"media gaps --fill\" fills them"))
    }
    let followed = follows.isEmpty ? "none is followed" : "\(NumberText.grouped(follows.count)) followed"
    return found.isEmpty ? [.good("\(followed), nothing is known to be missing")] : found
  }

  private func harvests() throws -> [Diagnosis] {
    guard let (follows, runs) = try withStore({ (try $0.follows(), try $0.runs(limit: 1)) }) else { return [] }
    guard !follows.isEmpty else { return [.good("nothing is followed, so nothing is due")] }
    let reports: [ScheduleReport]
    do { reports = try schedule.reports() } catch { return [Diagnosis(error, .unknown)] }
    // Another machine may harvest a shared library, or workers of this one.
    var found = library.address != nil && reports.isEmpty ? [] : scheduled(reports)
    guard let run = runs.first else {
      return found + [Diagnosis(.notice, "nothing was harvested yet", cure: "\"media harvest\" does it once")]
    }
    let age = time.now().timeIntervalSince(run.startedAt)
    let interval = reports.compactMap(\.interval).max() ?? .zero
    let latest = max(86_400, 2 * Double(interval.components.seconds))
    let when = "the last harvest began \(MomentText().minute(run.startedAt))"
    if run.state == .cutOff {
      found.append(Diagnosis(.notice, "\(when) and was cut off", cure: "\"media runs --last\" shows what it did"))
    } else if age > latest, found.allSatisfy({ $0.state == .good }) {
      found.append(
        Diagnosis(.problem, "\(when), and none since", cure: "look into the output that \"media schedule\" names"))
    } else {
      found.append(.good(when))
    }
    return found
  }

  /// Whether harvests run by themselves, and by one means only.
  private func scheduled(_ reports: [ScheduleReport]) -> [Diagnosis] {
    let means = reports.filter { !$0.isOff }
    guard let first = means.first else {
      if !reports.isEmpty {
        return [
          Diagnosis(
            .notice, "the line in the crontab is switched off", cure: "\"media schedule install\" switches it on")
        ]
      }
      return [
        Diagnosis(
          .notice, "nothing harvests by itself", cure: "\"media schedule install\" harvests every 15 minutes")
      ]
    }
    var found: [Diagnosis] = []
    if means.count > 1 {
      found.append(
        Diagnosis(
          .notice, "both cron and systemd harvest", cure: "\"media schedule install\" leaves one of them"))
    }
    if first.by == "cron", !Self.isCronRunning {
      found.append(Diagnosis(.problem, "cron does not run", cure: "start it, as by \"systemctl enable --now cron\""))
    }
    if first.by == "systemd", !Self.lingers {
      found.append(
        Diagnosis(
          .notice, "the timer stops when you log out", cure: "\"loginctl enable-linger\" lets it go on"))
    }
    return found.isEmpty ? [.good("by \(first.by)\(first.every.map { ", every \($0)" } ?? "")")] : found
  }

  private static var isCronRunning: Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { id in
      guard id.allSatisfy(\.isNumber), let name = FileManager.default.contents(atPath: "/proc/\(id)/comm") else {
        return false
      }
      return ["cron", "crond", "fcron", "anacron"].contains(String(decoding: name, as: UTF8.self).trimmingWhiteSpace)
    }
  }

  /// Whether timers of the user run while the user is not logged in (systemd-logind.service(8)).
  private static var lingers: Bool {
    guard let user = getpwuid(geteuid()) else { return true }
    return FileManager.default.fileExists(atPath: "/var/lib/systemd/linger/\(String(cString: user.pointee.pw_name))")
  }

  // MARK: The network

  private func loggedIn() async throws -> [Diagnosis] {
    let all = try accounts.all()
    guard !all.isEmpty else { return [.good("none; public timelines need none")] }
    let flow = LoginFlow(
      transport: transports.hasty(Self.patience), accounts: accounts, providers: .catalogue, time: time, website: nil)
    return await each(all) { account in
      let source = Catalogue.entry(account.source)
      let login = source?.api(account.api, at: account.server)?.login
      let renewsItself = account.isRenewable(exchangingTokens: login?.exchangesTokens ?? false)
      let now = time.now()
      if renewsItself, let end = account.expires, end <= now, account.ends.map({ $0 > now }) ?? true {
        return .good("\(account.handle): renews itself with the next pull")
      }
      let notices = Notices(now: time.now(), times: MomentText())
      let advice = notices.all(disk: nil, library: "", accounts: [account], failing: []).first
      do {
        let isAsked = try await flow.check(account)
        if let advice { return Diagnosis(.notice, advice.message) }
        let end = account.end.map { ", until \(MomentText().minute($0))" } ?? ""
        return .good("\(account.handle): \(isAsked ? "accepted" : "not asked")\(end)")
      } catch let error as LoginError {
        let isRefused = if case .tokenRefused = error { true } else { false }
        return Diagnosis(
          isRefused ? .problem : .unknown, "\(account.handle): \(error.summary)",
          cure: isRefused
            ? "\"\(SourceDescriptor.loginCommand(for: account))\""
            : error.cure,
          exitCode: isRefused ? .needsLogin : error.exitCode)
      } catch {
        return Diagnosis(error, .unknown)
      }
    }
  }

  /// Whether the servers of followed feeds and logins answer, and whether this machine's clock is theirs.
  private func servers() async throws -> [Diagnosis] {
    let work = BlockingExecutor("doctor.servers")
    let followed = try await work.run {
      try withStore { try $0.follows().map(\.feed).filter(\.isPulled).map(\.server) } ?? []
    }
    let all = Set(followed + ((try? accounts.all()) ?? []).map(\.server)).sorted { $0.name < $1.name }
    guard !all.isEmpty else { return [.good("none is followed or logged in to")] }
    let transport = transports.hasty(Self.patience)
    let asked = await each(Array(all.prefix(Self.most))) { server -> (Diagnosis, TimeInterval?) in
      // Whatever it answers, it answers.
      let request = Request(.get, server.origin + "/", limit: 1 << 20, redirects: .nowhere(isUserChosen: false))
      do {
        let answer = try await transport.send(request)
        return (.good("\(server) answers"), answer.clockDifference(from: time.now()))
      } catch TransportError.tooLarge {
        return (.good("\(server) answers"), nil)
      } catch let error as TransportError {
        return (Diagnosis(SourceError(error, from: server)), nil)
      } catch {
        return (Diagnosis(error, .unknown), nil)
      }
    }
    let left = all.count > Self.most ? [Diagnosis(.unknown, "\(all.count - Self.most) more were not asked")] : []
    return asked.map(\.0) + left + clock(asked.compactMap(\.1))
  }

  private func clock(_ differences: [TimeInterval]) -> [Diagnosis] {
    guard let middle = differences.sorted(by: { abs($0) < abs($1) }).dropFirst(differences.count / 2).first else {
      return []
    }
    guard abs(middle) > Self.clockLimit else { return [] }
    let side = middle > 0 ? "behind" : "ahead of"
    return [
      Diagnosis(
        .problem, "this machine's clock is \(NumberText.span(abs(middle))) \(side) that of the servers",
        cure: "set it, as by \"timedatectl set-ntp true\"")
    ]
  }

  /// The result for each element, in their order, all asked at once.
  private func each<Element: Sendable, Value: Sendable>(
    _ elements: [Element], _ ask: @escaping @Sendable (Element) async -> Value
  ) async -> [Value] {
    await withTaskGroup { group in
      for (index, element) in elements.enumerated() { group.addTask { (index, await ask(element)) } }
      var values: [Int: Value] = [:]
      for await (index, value) in group { values[index] = value }
      return elements.indices.compactMap { values[$0] }
    }
  }
}
