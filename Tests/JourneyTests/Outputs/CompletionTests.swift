import Foundation
import ScriptedOrigin
import Testing

/// Completions that shells offer.
@Suite(.timeLimit(.minutes(10))) struct CompletionTests {
  /// A library with the posts of a tag, and the feed that brought them.
  private func withFeed(_ body: @Sendable (Sandbox, Origin, String) async throws -> Void) async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      try await body(sandbox, origin, "tag:cats@\(origin.url)")
    }
  }

  /// The command's completions for a shell.
  private func offers(
    _ sandbox: Sandbox, _ command: String, _ argument: String, _ words: String..., shell: String = ""
  ) async throws -> [String] {
    var sandbox = sandbox
    if !shell.isEmpty { sandbox.environment["SAP_SHELL"] = shell }
    let typed = ["media", command] + words
    let ended = try await sandbox.run(
      ["---completion", command, "--", argument, "\(typed.count)", "0"] + typed + [""])
    #expect((ended.status, ended.errors) == (0, ""))
    // Zsh's script removes the last line.
    return shell == "zsh" ? ended.lines.dropLast() : ended.lines
  }

  @Test func `a shell is offered what the library and the accounts hold`() async throws {
    try await withFeed { sandbox, origin, feed in
      #expect(try await offers(sandbox, "gaps", "positional@0") == [feed])
      #expect(try await offers(sandbox, "follow", "positional@0") == [feed])
      #expect(try await offers(sandbox, "list", "--feed") == [feed])
      #expect(try await offers(sandbox, "list", "--tag").contains("cats"))
      #expect(try await offers(sandbox, "add", "--tag").contains("cats"))
      let author =
        try await sandbox.media("list", "--json", "--limit", "1").object()["author"] as? [String: any Sendable]
      let handle = try #require(author?["handle"] as? String)
      #expect(try await offers(sandbox, "list", "--user").contains(handle))
      #expect(try await offers(sandbox, "tag", "positional@0") == [String(feed.dropFirst(4))])
      #expect(try await offers(sandbox, "tag", "--server") == [origin.url])
      #expect(try await offers(sandbox, "hide", "positional@0") == ["tag:", "user:"])
      #expect(try await offers(sandbox, "unhide", "positional@0") == [])
      try await sandbox.media("hide", "tag:cats", "user:\(handle)")
      #expect(try await offers(sandbox, "unhide", "positional@0") == ["by:\(handle)", "tag:cats"])
      #expect(try await offers(sandbox, "settings", "positional@1", "view") == ["list", "grid"])
      #expect(try await offers(sandbox, "list", "--feed", "--library", "\(sandbox.folder)/none") == [])
      #expect(!FileManager.default.fileExists(atPath: "\(sandbox.folder)/none"))
    }
  }

  @Test(arguments: [("tag:ca", "tag:cats"), ("user:", "user:")])
  func `what can be hidden is offered by its kind`(typed: String, offer: String) async throws {
    try await withFeed { sandbox, _, _ in
      let ended = try await sandbox.run(
        ["---completion", "hide", "--", "positional@0", "2", "\(typed.count)", "media", "hide", typed])
      #expect(ended.lines.contains { $0.hasPrefix(offer) && $0 != "user:" }, "\(ended.output)")
    }
  }

  @Test(arguments: [
    ("t", "tag:"), ("-ta", "-tag:"), ("tag:ca", "tag:cats"), ("(-tag:", "(-tag:cats"), ("is:", "is:edited"),
    ("has:v", "has:video"), ("source:", "source:mastodon"),
  ])
  func `a filter is offered its keys and their values`(typed: String, offer: String) async throws {
    try await withFeed { sandbox, _, _ in
      let ended = try await sandbox.run(
        ["---completion", "list", "--", "positional@0", "2", "\(typed.count)", "media", "list", typed])
      #expect(ended.lines.contains(offer), "\(ended.output)")
    }
  }

  @Test func `a library is offered by its name, and folders`() async throws {
    let sandbox = try Sandbox()
    try sandbox.configure("config.toml", "[libraries]\nwork = \"/w\"\nlab = \"postgresql://h/d\"\n")
    let found = try await sandbox.bash(
      """
      \(Self.trying)
      mkdir -p "$HOME/wood/pecker" "$HOME/.hidden"; touch "$HOME/wool"; cd "$HOME"
      try 'media list --library ' media list --library ''
      try 'media list --library wo' media list --library wo
      try 'media list --library wood/' media list --library wood/
      try 'media check --against la' media check --against la
      try 'media copy lab wo' media copy lab wo
      """)
    #expect(
      found.lines == ["<lab><work><wood>", "<work><wood>", "<wood/pecker>", "<lab>", "<work><wood>"], "\(found.errors)")
  }

  @Test func `zsh takes no colon for the beginning of a description`() async throws {
    try await withFeed { sandbox, origin, feed in
      let feeds = try await offers(sandbox, "gaps", "positional@0", shell: "zsh")
      #expect(feeds == [feed.replacing(":", with: "\\:")])
      let others = try await offers(sandbox, "gaps", "positional@0", shell: "fish")
      #expect(others == [feed])
      let servers = try await offers(sandbox, "tag", "--server", shell: "zsh")
      #expect(servers == [origin.url.replacing(":", with: "\\:")])
    }
  }

  @Test(arguments: [
    ("in:W", 4, #"in\:"Winter birds""#), (#"in:\"Winter\ "#, 13, #"in\:"Winter birds""#), ("'tag:de", 6, "tag\\:deep"),
    ("\"tag:de", 6, "tag\\:deep"),
  ])
  func `zsh is offered names with spaces, and what is in quotation marks`(typed: String, count: Int, offer: String)
    async throws
  {
    var sandbox = try Sandbox()
    for tag in ["deep", "dunes"] { try await sandbox.media("add", "A boat.", "--tag", tag) }
    try await sandbox.media("album", "create", "Winter birds")
    // Zsh does not count a quotation mark at the beginning.
    sandbox.environment["SAP_SHELL"] = "zsh"
    let ended = try await sandbox.run(
      ["---completion", "list", "--", "positional@0", "2", "\(count)", "media", "list", typed])
    #expect(ended.lines.dropLast() == [offer], "\(ended.output)")
    #expect(try await sandbox.media("completions", "zsh").output.contains("_describe -V '' completions -U"))
  }

  /// What bash offers for the last word, after splitting a line into words.
  private static let trying = """
    "$MEDIA" completions bash > "$HOME/script" && before=$COMP_WORDBREAKS && . "$HOME/script"
    media() { "$MEDIA" "$@"; }
    try() {
      COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=(); shift
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
      __media_whole_words media "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '<%s>' "${COMPREPLY[@]}"; echo
    }
    """

  @Test func `bash offers names with a colon, and cuts the words of other commands as before`() async throws {
    try await withFeed { sandbox, origin, feed in
      let host = origin.url.dropFirst("http:".count)
      let ended = try await sandbox.bash(
        """
        \(Self.trying)
        try 'media gaps ' media gaps ''
        try 'media gaps tag:c' media gaps tag : c
        try 'media gaps tag:cats@http:' media gaps tag : cats @ http :
        try 'media tag x --server http:' media tag x --server http :
        try 'media tag x@h.example --server ' media tag x @ h.example --server ''
        try 'media unfo' media unfo
        [ "$before" = "$COMP_WORDBREAKS" ] && echo same
        """)
      #expect(
        ended.lines == [
          "<\(feed)>", "<cats@\(origin.url)>", "<\(host)>", "<\(host)>", "<\(origin.url)>", "<unfollow>", "same",
        ], "\(ended.errors)")
    }
  }

  @Test func `bash offers names with spaces quoted, own tags as they are typed, and runs nothing of a name`()
    async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "A boat.", "--tag", "$(>ran)")
    try await sandbox.media("mark", "1", "--tag", "boat")
    try await sandbox.media("album", "create", "Al Bum")
    let found = try await sandbox.bash(
      """
      cd "$HOME"
      \(Self.trying)
      try 'media list in:A' media list in : A
      try "media list 'in:A" media list "'in:A"
      try 'media album show Al\\ B' media album show 'Al\\ B'
      try 'media mark 1 --tag bo' media mark 1 --tag bo
      try 'media mark 1 --tag +bo' media mark 1 --tag +bo
      try 'media list --tag $' media list --tag '$'
      [ ! -e ran ] || echo ran
      """)
    #expect(
      found.lines == [
        #"<\"Al\ Bum\">"#, #"<in:"Al Bum">"#, #"<Al\ Bum>"#, "<boat>", "<+boat>",
        #"<\$\(\>ran\)>"#,
      ], "\(found.output) \(found.errors)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `sources, settings and APIs are offered by every shell's script`(shell: String) async throws {
    let script = try await Sandbox().media("completions", shell).output
    for word in ["mastodon", "instagram", "gc-grace", "graph", "1.1"] { #expect(script.contains(word), "\(word)") }
  }

  @Test func `the completions of bash parse and know every subcommand`() async throws {
    let sandbox = try Sandbox()
    let ended = try await sandbox.bash(
      "\"$MEDIA\" completions bash > $HOME/script && bash -n $HOME/script && cat $HOME/script")
    #expect((ended.status, ended.errors) == (0, ""))
    for command in HelpTests.commands { #expect(ended.output.contains(command), "\(command)") }
    for shell in ["zsh", "fish"] { #expect(try await sandbox.media("completions", shell).output.contains("restore")) }
    expect(try await sandbox.media("completions", "cmd.exe"), fails: 64, saying: "cmd.exe")
    // The flag by which many other programs print their scripts.
    let flag = try await sandbox.media("--generate-completion-script", "bash")
    #expect(flag.status == 0 && ended.lines == flag.lines)
    #expect(try await sandbox.media("list", "--generate-completion-script", "bash").lines == flag.lines)
  }
}
