import ArgumentParser
import Filters
import FoundationEssentials
import HTTP
import Machine
import Storage
import Terminal
import Web
import Wording

/// `media share add ALBUM / list / revoke ID`
struct ShareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share", _superCommandName: Media.name,
    abstract: "Show posts to friends, at an address of their own.",
    discussion: """
      Whoever has the address sees the posts at "media serve", until the share ends or is revoked. It has only posts that \
      everybody may see at their servers, and never notes, ratings, own tags and deleted posts. An album is followed in its \
      order. Anything else stays what was found when it was shared, unless you give --live.
      """,
    subcommands: [List.self, Add.self, Revoke.self], defaultSubcommand: List.self)

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Share posts, and print the path of their page.")

    @Argument(
      help: ArgumentHelp("An album, a saved search (saved:best) or any other filter.", valueName: "album"),
      completion: Completing.albums)
    var what: [String]

    @Option(help: "What the page is called; the name of the album or saved search by default.")
    var title: String?

    @Option(help: ArgumentHelp("When it ends, in local time, or never.", valueName: "yyyy-mm-dd"))
    var until: String?

    @Option(help: "After how many days it ends; 30 by default.")
    var days: Int?

    @Flag(help: "Ask for a password, which is read as one line of standard input.")
    var passwordStdin = false

    @Flag(help: "The files themselves, without the place where they were taken, in place of smaller pictures.")
    var originals = false

    @Flag(help: "Follow the filter: show what it finds whenever somebody looks.")
    var live = false

    @Option(
      help: ArgumentHelp(
        "Also posts that are otherwise left out, of \(SharedExtra.allCases.map(\.rawValue).joined(separator: ", ")).",
        valueName: "list"))
    var with: String?

    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func validate() throws {
      guard until == nil || days == nil else { throw ValidationError("--until and --days exclude each other") }
      if let days, !(1...36_500).contains(days) {
        throw ValidationError("--days \(days) is out of range, it must be from 1 to 36500")
      }
      _ = try extras()
    }

    func run() throws {
      let app = try App(global)
      try app.library.expectIfNamed()
      guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
      // Who may see a post decides whether it is shown.
      try app.library.readVisibilities()
      let now = app.time.now()
      var draft = ShareDraft(of: try app.library.withStore(for: .reading) { try chosen(in: $0, at: now) }, title: title)
      (draft.isLive, draft.hasOriginals, draft.shows) = (live, originals, try extras())
      draft.endsAt = try end(after: now)
      draft.passwordHash = try passwordStdin ? Self.readPassword(app.console).stored : nil
      let token = base64URL(randomBytes(16))
      let (id, tally) = try app.library.withStore { store in
        let hash = TokenHash(of: token).text
        let id = try store.makeShare(draft, tokenHash: hash, now: now)
        return (
          id,
          try store.share(tokenHash: hash).map { try store.tally(of: $0, draft.filter, now: now) } ?? (
            posts: 0, leftOut: 0
          )
        )
      }
      let path = "/share/\(token)/"
      if global.json {
        return try app.console.result(
          try JSONText.line(
            JSONMembers(present: [
              "id": id, "path": path, "title": draft.title, "posts": tally.posts, "ends": draft.endsAt.map(UTC.text),
            ])))
      }
      try app.console.result("\(path)")
      let text = ShareText(posts: tally.posts, leftOut: tally.leftOut)
      app.console.message(
        "\(text.shared) The path goes behind the address of \"media serve\", and is not shown again.")
      if let leftOut = text.leftOut { app.console.message("\(leftOut)") }
    }

    /// The posts: those of an album that has the name, else of a filter. Words alone name an album.
    private func chosen(in store: Store, at now: Date) throws -> Filter {
      let text = what.joined(separator: " ")
      let name = MarkName.plain(text)?.lowercased()
      if let album = try store.albumNames().first(where: { $0.lowercased() == name }) {
        return .term(.init(.album, [.word(album)]))
      }
      let filter = try PostFilters.filter(text, at: now).filter
      return filter.terms.isEmpty ? .term(.init(.album, [.word(text)])) : filter
    }

    private func extras() throws -> Set<SharedExtra> {
      let names = with?.split(separator: ",").map { $0.trimmingPrefix(" ") } ?? []
      return Set(
        try names.map { name in
          guard let extra = SharedExtra(rawValue: String(name)) else {
            let known = SharedExtra.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--with has \"\(name)\", which is unknown: write some of \(known)")
          }
          return extra
        })
    }

    private func end(after now: Date) throws -> Date? {
      guard until != "never" else { return nil }
      guard let until else { return now + TimeInterval(days ?? 30) * 86_400 }
      let end = try TimeText().end(until, for: "--until")
      guard now < end else { throw UsageError("--until \(until) is past", cure: "give a day to come, or never") }
      return end
    }

    /// A typed password is not shown, and is typed twice.
    private static func readPassword(_ console: Console) throws -> PasswordHash {
      if console.inputIsTerminal { console.live("Password (it is not shown): ") }
      guard let first = ChangedModes.readHiddenLine(), !first.isEmpty else {
        throw UsageError("no password came on standard input", cure: "type it, or pipe it in as one line")
      }
      if console.inputIsTerminal {
        console.live("The same again: ")
        guard ChangedModes.readHiddenLine() == first else {
          throw UsageError("the second password is not the first", cure: "type it, or pipe it in as one line")
        }
      }
      if let trouble = PasswordHash.trouble(with: first) {
        throw UsageError(trouble.words, cure: PasswordHash.Trouble.cure)
      }
      return PasswordHash(first, salt: randomBytes(16))
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The shares, the newest first.")

    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      let app = try App(global)
      try app.library.expectIfNamed()
      let shares = app.library.exists ? try app.library.withStore(for: .reading) { try $0.shares() } : []
      for share in shares {
        let now = app.time.now()
        if global.json {
          try app.console.result(try JSONText.line(Self.json(share, now: now)))
        } else {
          let facts = [share.hasPassword ? "password" : nil, share.hasOriginals ? "originals" : nil, share.filter]
            .compactMap(\.self)
          let more = facts.isEmpty ? "" : "  \(facts.joined(separator: ", "))"
          try app.console.result("\(share.id)  \(share.title)  \(Self.state(of: share, now: now))\(more)")
        }
      }
      if shares.isEmpty, !global.json {
        app.console.message("There is no share: \"media share add ALBUM\" makes one.")
      }
    }

    private static func json(_ share: StoredShare, now: Date) -> JSONMembers {
      JSONMembers(present: [
        "id": share.id, "title": share.title, "album": share.album, "filter": share.filter, "live": share.isLive,
        "originals": share.hasOriginals, "password": share.hasPassword, "with": share.shows.map(\.rawValue).sorted(),
        "made": UTC.text(share.madeAt), "ends": share.endsAt.map(UTC.text),
        "revoked": share.revokedAt.map(UTC.text), "open": share.isOpen(at: now),
      ])
    }

    private static func state(of share: StoredShare, now: Date) -> String {
      if share.revokedAt != nil { return "revoked" }
      // The last day on which it is open, as people said it.
      return share.isOpen(at: now) ? share.endsAt.map { "until \(TimeText().lastDay(before: $0))" } ?? "open" : "ended"
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "End shares at once.")

    @Argument(help: "The number of a share, or all.") var which: String
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      guard which == "all" || Int64(which) != nil else {
        throw UsageError("\(which) is no number of a share", cure: "\"media share list\" shows them")
      }
      let app = try App(global)
      try app.library.expectIfNamed()
      guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
      let count = try app.library.withStore { try $0.revokeShares(Int64(which), now: app.time.now()) }
      if global.json { return try app.console.result(try JSONText.line(["revoked": count])) }
      guard count > 0 || which == "all" else {
        throw UsageError("no open share has the number \(which)", cure: "\"media share list\" shows them")
      }
      app.console.message("Revoked \(NumberText.count(count, "share")).")
    }
  }
}
