import ArgumentParser
import FoundationEssentials
import Storage
import Terminal
import Wording

/// `media album create / add / remove / move / rename / delete / list`
struct AlbumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "album", _superCommandName: Media.name,
    abstract: "Put posts into albums, in an order of your own.",
    discussion: "\"media list in:Winter\" lists the posts of an album, newest first.",
    subcommands: [List.self, Show.self, Create.self, Add.self, Remove.self, Move.self, Rename.self, Delete.self],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The albums, and how many posts each has.")

    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      let app = try App(global)
      try app.library.expectIfNamed()
      let albums = app.library.exists ? try app.library.withStore(for: .reading) { try $0.albums() } : []
      for album in albums {
        if global.json {
          try app.console.result(try JSONText.object(["name": album.name, "posts": album.posts]))
        } else {
          try app.console.result("\(album.name)  \(NumberText.count(album.posts, "post"))")
        }
      }
      if albums.isEmpty, !global.json {
        app.console.message("There is no album: \"media album create NAME\" makes one.")
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The posts of an album in its order.")

    @Argument(completion: Completing.albums) var name: String
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      let app = try App(global)
      try app.library.expectIfNamed()
      guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
      if global.json { try app.library.readVisibilities() }
      let posts = try app.library.withStore(for: .reading) { store in
        let order = try store.posts(ofAlbum: name)
        let found = Dictionary(
          try store.posts(numbered: order).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { found[$0] }
      }
      guard global.json else {
        return try PostTable(isFiltered: true, isPlanned: false, isDeleted: false).print(posts, app.output)
      }
      for post in posts { try app.console.result(try JSONText.line(PostLine(post))) }
    }
  }

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make an album.")

    @Argument var name: String
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      try Changing(global).run("Made the album \"\(MarkName.plain(name) ?? name)\"") {
        try $0.createAlbum(name, by: $1, now: $2)
      }
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add posts to the end of an album.")

    @Argument(completion: Completing.albums) var name: String
    @OptionGroup var posts: MarkedPosts
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      try posts.change("add", "added", global, words: { "Added \($0) to \"\(name)\"" }) { store, ids, marker, now in
        try store.add(ids, toAlbum: name, by: marker, now: now, dryRun: posts.dryRun)
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Take posts out of an album. They stay in the library.")

    @Argument(completion: Completing.albums) var name: String
    @OptionGroup var posts: MarkedPosts
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      try posts.change("take out", "removed", global, words: { "Took \($0) out of \"\(name)\"" }) {
        store, ids, marker, now in
        try store.remove(ids, fromAlbum: name, by: marker, now: now, dryRun: posts.dryRun)
      }
    }
  }

  struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Move a post within an album.")

    @Argument(completion: Completing.albums) var name: String
    @Argument(help: "The post.") var id: Int64
    @Option(help: ArgumentHelp("The post that it is to stand before; the end by default.", valueName: "id"))
    var before: Int64?
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      try Changing(global).run("Moved post \(id)") {
        try $0.move(id, inAlbum: name, before: before, by: $1, now: $2)
      }
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Give an album another name.")

    @Argument(completion: Completing.albums) var name: String
    @Argument(help: "The new name.") var new: String
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      try Changing(global).run("Renamed the album \"\(name)\" to \"\(new)\"") {
        try $0.renameAlbum(name, to: new, by: $1, now: $2)
      }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Delete an album. Its posts stay in the library.")

    @Argument(completion: Completing.albums) var name: String
    @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

    func run() throws {
      try Changing(global).run("Deleted the album \"\(name)\"", holders: { try $0.holders(ofAlbum: name) }) {
        try $0.deleteAlbum(name, by: $1, now: $2)
      }
    }
  }
}

/// Changes albums or saved searches of an existing library, and tells of it.
struct Changing {
  private let global: GlobalOptions

  init(_ global: GlobalOptions) { self.global = global }

  /// - Parameter holders: Who names what is changed, and finds nothing by that name afterwards.
  func run(
    _ words: String, holders: (Store) throws -> [String] = { _ in [] }, _ body: (Store, Marker, Date) throws -> Marking
  ) throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
    let (holders, marking) = try app.library.withStore { (try holders($0), try body($0, app.marker, app.time.now())) }
    if global.json { return try app.console.result(try JSONText.line(["changed": marking.change != nil])) }
    app.console.message(
      marking.change == nil ? ChangedPosts.unchanged : "\(words); \"media undo\" takes it back.")
    if marking.change != nil, !holders.isEmpty {
      app.console.message("Its name still stands in \(holders.joined(separator: ", ")).")
    }
  }
}
