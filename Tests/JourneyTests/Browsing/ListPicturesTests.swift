import Foundation
import ScriptedOrigin
import Testing

/// Pictures in the interactive list, drawn by the real `media-picture` in a real terminal.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Tmux.isThere, "tmux is not installed"), .serialized)
struct ListPicturesTests {
  /// Starts the list in a terminal.
  private func list(
    of sandbox: Sandbox, flags: String = "--no-animation", columns: Int = 80, rows: Int = 24,
    _ body: (Tmux) async throws -> Void
  ) async throws {
    try await withTmux(sandbox, columns: columns, rows: rows) { tmux in
      try await tmux.enter(
        "stty -g > $HOME/before; bash -c \"echo \\$\\$ > $HOME/pid; exec $MEDIA list \(flags)\"; echo status $?")
      try await body(tmux)
    }
  }

  /// A library with one post for each picture, the last one newest.
  private func sandbox(_ pictures: [Picture]) async throws -> Sandbox {
    let sandbox = try Sandbox()
    for (number, picture) in pictures.enumerated() {
      let file = "\(sandbox.folder)/\(number).\(picture.fileExtension)"
      try Data(picture.bytes).write(to: URL(filePath: file))
      let added = try await sandbox.media("add", "Saw kingfisher \(number)", "--attach", file)
      #expect(added.status == 0, "\(added.errors)")
    }
    return sandbox
  }

  /// Replaces a stored picture's bytes.
  private func spoil(_ picture: Picture, with bytes: some Sequence<UInt8>, in sandbox: Sandbox) throws {
    let path = "\(sandbox.library)/blobs/\(picture.sha256.prefix(2))/\(picture.sha256.dropFirst(2))"
    try #require(FileManager.default.fileExists(atPath: path))
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// Sends a signal to the list's picture worker.
  private func signal(_ name: String, in sandbox: Sandbox) async throws {
    let sent = try await sandbox.bash(
      """
      for p in $(grep -sl "^PPid:[[:space:]]*$(cat $HOME/pid)$" /proc/[0-9]*/status); do
        grep -q media-picture $p && kill -\(name) "$(basename "$(dirname "$p")")" && echo sent
      done
      """)
    try #require(sent.output == "sent\n", "\(sent.output)\(sent.errors)")
  }

  /// Waits until lines of the screen end with a picture; fewer than `least` do not count.
  private func showsPictures(_ tmux: Tmux, least: Int = 4, none: Bool = false) async throws {
    var last = ""
    for _ in 0..<2400 {
      last = try await tmux.screen()
      let lines = last.split(separator: "\n").count { $0.count > 40 && $0.suffix(12).allSatisfy(Self.isBlock) }
      if none ? lines == 0 : lines >= least { return }
      try await Task.sleep(for: .milliseconds(25))
    }
    Issue.record("\(none ? "pictures are still there" : "no pictures came")\n\(last)")
    throw CancellationError()
  }

  private static func isBlock(_ character: Character) -> Bool {
    ("\u{2500}"..."\u{259F}").contains(character) && character != "─" || character == " "
  }

  private static let pictures = (1...12).filter { $0 % 5 != 4 }.map { Picture($0) }

  @Test func `the pictures of a feed are blocks, through paging and deleting, and quitting leaves a clean terminal`()
    async throws
  {
    try await withOrigin(Script(posts: 60)) { origin in
      let sandbox = try Sandbox()
      #expect(try await sandbox.media("tag", "cats", "--server", origin.url).status == 0)
      try await list(of: sandbox, flags: "--tag cats --no-animation", columns: 100) { tmux in
        try await showsPictures(tmux)
        try await tmux.press("Space")
        try await tmux.press("d")
        try await tmux.shows("39 posts")
        try await showsPictures(tmux)
        try await tmux.press("v")
        try await tmux.shows("v list")
        try await tmux.press("q")
        let screen = try await tmux.shows("status 0")
        #expect(!screen.contains("▀") && !screen.contains("refresh in"))
        try await tmux.enter("stty -g | cmp - $HOME/before && echo as it was")
        try await tmux.shows("\nas it was")
      }
      #expect(try await sandbox.media("settings", "view").output.contains("grid"))
      try await list(of: sandbox) { try await $0.shows("v list") }
    }
  }

  /// Whether the disk for temporary files supports files without a name; otherwise decoded pictures stay in memory.
  private static var knowsNameless: Bool {
    let file = open(NSTemporaryDirectory(), O_DIRECTORY | 0o20_000_000 | O_RDWR | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    return file >= 0
  }

  @Test(.enabled(if: knowsNameless, "it takes a disk that knows files without a name"))
  func `a drawn picture lies in an unnamed file among the temporary files`() async throws {
    let sandbox = try await sandbox(Self.pictures)
    try await list(of: sandbox, flags: "--no-animation --pictures kitty") { tmux in
      try await tmux.shows("kingfisher")
      // Its offset in the list of open files tells the size.
      let found = try await sandbox.bash(
        """
        for ((i = 0; i < 600; i++)); do
          for f in /proc/$(cat $HOME/pid)/fd/*; do
            case $(readlink $f) in
              ${TMPDIR:-/tmp}/\\#*deleted*) [ $(stat -Lc %s $f) -lt 10000 ] || exit 0 ;;
            esac
          done
          sleep 0.1
        done
        exit 1
        """)
      #expect(found.status == 0, "\(found.output)\(found.errors)")
      try await tmux.press("q")
      try await tmux.shows("status 0")
    }
  }

  @Test func `a picture that failed comes with r, and one that was let go when its post is restored`() async throws {
    var script = Script.each(6)
    script.troubles = [.every("/media", .status(403, body: "no"))]
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let pull = try await sandbox.media("tag", "cats", "--server", origin.url, "--no-avatars")
      #expect(pull.status == 1, "\(pull.errors)")
      try await sandbox.media("settings", "trash", "0s")
      try await sandbox.media("settings", "avatars", "off")
      try await list(of: sandbox, flags: "--tag cats --no-animation", rows: 44) { tmux in
        try await tmux.shows("failed")
        origin.change { $0.troubles = [] }
        try await tmux.press("r")
        try await showsPictures(tmux, least: 18)
        #expect(try await sandbox.media("delete", "1").status == 0)
        try await tmux.shows("5 posts")
        try await sandbox.endGrace()
        #expect(try await sandbox.media("gc").output.hasPrefix("Freed "))
        try await tmux.press("R")
        try await tmux.shows("Bring 1 deleted post")
        try await tmux.press("y")
        try await tmux.shows("6 posts")
        try await showsPictures(tmux, least: 18)
      }
      #expect(try await sandbox.media("list", "--json").lines.allSatisfy { $0.contains("\"stored\"") })
      #expect(try await sandbox.media("check").status == 0)
    }
  }

  @Test func `a post is opened with its picture, and the settings turn pictures off and on at once`() async throws {
    let sandbox = try await sandbox(Self.pictures)
    #expect(try await sandbox.media("settings", "pictures", "off").status == 0)
    try await list(of: sandbox) { tmux in
      try await tmux.shows("image")
      try await showsPictures(tmux, none: true)
      try await tmux.type("sjjjjjjj")
      try await tmux.shows("▌ pictures")
      try await tmux.press("Enter")
      try await tmux.shows("auto")
      try await tmux.press("Escape")
      try await showsPictures(tmux)
      try await tmux.press("Enter")
      try await tmux.shows("image · ")
    }
  }

  @Test func `the command line overrides the setting`() async throws {
    let sandbox = try await sandbox(Array(Self.pictures.prefix(3)))
    try await list(of: sandbox, flags: "--no-animation --pictures off") { tmux in
      try await tmux.shows("image")
      try await showsPictures(tmux, none: true)
    }
    let refused = try await sandbox.media("list", "--pictures", "ansi")
    #expect(refused.status == 64)
  }

  @Test func `hostile pictures say so in their own cells, and the others are shown`() async throws {
    let sandbox = try await sandbox(Array(Self.pictures.prefix(3)))
    var vast = Self.pictures[0].bytes
    vast.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x31, 0, 0, 0x75, 0x31])
    try spoil(Self.pictures[0], with: vast, in: sandbox)
    try spoil(Self.pictures[1], with: Self.pictures[1].bytes.dropLast(30), in: sandbox)
    try await list(of: sandbox) { tmux in
      try await tmux.shows("too large:")
      try await tmux.shows("damaged:")
      try await showsPictures(tmux)
      try await tmux.press("j")
      try await tmux.press("q")
      try await tmux.shows("status 0")
    }
  }

  @Test func `a program that draws and is killed, or hangs, costs one picture, and no key waits`() async throws {
    let sandbox = try await sandbox(Self.pictures)
    try await list(of: sandbox) { tmux in
      try await showsPictures(tmux)
      try await signal("STOP", in: sandbox)
      try await tmux.press("G")
      try await tmux.type("/")
      try await tmux.shows("Search ▸")
      try await tmux.press("Escape")
      try await tmux.shows("longer than")
      try await showsPictures(tmux)
      try await signal("KILL", in: sandbox)
      try await tmux.press("g")
      try await tmux.press("v")
      try await tmux.shows("v list")
      try await tmux.press("q")
      try await tmux.shows("status 0")
    }
  }
}
