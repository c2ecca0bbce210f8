/// The shapes of the JSON that commands print, for the manual.
enum ManualShapes {
  /// The commands that print a shape, and the shape.
  typealias Shape = (title: String, lines: [String])

  /// All of them, in order.
  static let all: [Shape] = [
    (
      "media tag, user, search, feed, gaps --fill, one per feed:",
      [
        "{\"feed\":TEXT,\"pages\":N,\"requests\":N,",
        " \"posts\":{\"new\":N,\"updated\":N,\"unchanged\":N,\"deleted\":N,\"unreadable\":N,",
        "  \"misdated\":N,\"shortened\":N},",
        " \"media\":{\"downloaded\":N,\"deduplicated\":N,\"failed\":N,\"put_off\":N,\"skipped\":N,\"waiting\":N,",
        "  \"bytes\":N},",
        " \"complete\":BOOL,\"next\":TEXT}",
      ]
    ),
    (
      "media harvest prints the same, with \"failure\":TEXT for a feed that failed, and \"put_off\":true for one "
        + "left for the next harvest.", []
    ),
    (
      "media list, show and add, one per post; a deleted post has \"deleted\":true:",
      folded(PostLine.shape)
    ),
    (
      "media list --follow, one per change: a post with",
      ["\"change\":\"listed\"|\"inserted\"|\"updated\"|\"removed\""]
    ),
    ("media delete and restore, the ids of posts:", ["{\"deleted\":[N]}", "{\"restored\":[N]}"]),
    (
      "media mark, album add and album remove, the ids of posts that changed:",
      ["{\"marked\":[N]}", "{\"added\":[N]}", "{\"removed\":[N]}"]
    ),
    ("media album list, one per album:", ["{\"name\":TEXT,\"posts\":N}"]),
    ("media searches, one per saved search:", ["{\"name\":TEXT,\"filter\":TEXT,\"posts\":N}"]),
    ("media album create, move, rename, delete, and searches save, rename, delete:", ["{\"changed\":BOOL}"]),
    (
      "media share add:", ["{\"id\":N,\"path\":TEXT,\"title\":TEXT,\"posts\":N,\"ends\":TIME}"]
    ),
    (
      "media share list, one per share:",
      [
        "{\"id\":N,\"title\":TEXT,\"album\":TEXT,\"filter\":TEXT,\"live\":BOOL,\"originals\":BOOL,",
        " \"password\":BOOL,\"with\":[TEXT],\"made\":TIME,\"ends\":TIME,\"revoked\":TIME,\"open\":BOOL}",
      ]
    ),
    ("media share revoke, the number of shares:", ["{\"revoked\":N}"]),
    ("media undo, null if there is nothing to undo:", ["{\"undone\":TEXT,\"posts\":[N]}"]),
    (
      "media same, one per group; with a verdict {\"changed\":N}:",
      [
        "{\"posts\":N,\"pictures\":[{\"id\":N,\"file\":N,\"created_at\":TIME,\"author\":TEXT,",
        "  \"sha256\":TEXT,\"bytes\":N,\"width\":N,\"height\":N,\"distance\":N,\"exact\":BOOL,",
        "  \"first\":BOOL,\"largest\":BOOL}]}",
      ]
    ),
    ("media look; with --wrong or --right {\"changed\":N}:", ["{\"files\":N,\"failed\":N,\"read\":N}"]),
    (
      "media gaps, one per gap:",
      [
        "{\"feed\":TEXT,\"kind\":\"gap\"|\"unfinished\",\"above\":TEXT,\"below\":TEXT,\"from\":TIME,\"to\":TIME}"
      ]
    ),
    (
      "media follow and follows, one per feed; durations are seconds:",
      [
        "{\"feed\":TEXT,\"every\":N,\"interval\":N,\"respite\":N,\"last\":TIME,\"next\":TIME,",
        " \"state\":TEXT,\"failures\":N,\"failure\":TEXT,\"failing_since\":TIME,",
        " \"failed_at\":TIME,\"only\":[TEXT],\"max_size\":N,\"newest\":N}",
      ]
    ),
    (
      "media runs, one per harvest or pull by hand:",
      [
        "{\"run\":N,\"kind\":\"harvest\"|\"pull\",\"feed\":TEXT,\"started\":TIME,\"finished\":TIME,",
        " \"state\":TEXT,\"code\":N,",
        " \"feeds\":{\"planned\":N,\"pulled\":N,\"failed\":N,\"limited\":N,\"put_off\":N},",
        " \"posts\":{\"new\":N,\"updated\":N,\"unchanged\":N,\"deleted\":N,\"unreadable\":N},",
        " \"media\":{\"stored\":N,\"failed\":N},\"pages\":N,\"requests\":N,\"bytes\":N,\"waited\":SECONDS,",
        " \"failures\":[{\"feed\":TEXT,\"failure\":TEXT}],",
        " \"rechecks\":{\"looked_up\":N,\"edited\":N,\"gone\":N},",
        " \"notices\":[{\"kind\":TEXT,\"about\":TEXT,\"notice\":TEXT}],",
        " \"events\":[{\"time\":TIME,\"level\":\"info\"|\"notice\"|\"error\",\"event\":TEXT,\"feed\":TEXT,\"host\":TEXT,",
        "  \"seconds\":SECONDS,\"count\":N,\"message\":TEXT}]}; events with an ID or --verbose",
      ]
    ),
    (
      "media recheck, one per feed:",
      [
        "{\"feed\":TEXT,\"looked_up\":N,\"edited\":N,\"unchanged\":N,\"gone\":N,\"unanswered\":N,\"requests\":N}"
      ]
    ),
    (
      "media stats:",
      [
        "{\"posts\":N,\"deleted\":N,\"authors\":N,\"tags\":N,\"feeds\":N,\"unreadable\":N,\"blobs\":N,",
        " \"bytes\":N,\"inspected\":N,\"read\":N,\"oldest\":TIME,\"newest\":TIME,",
        " \"pictures\":{\"stored\":N,\"pending\":N,\"failed\":N,\"gone\":N,\"skipped\":N},",
        " \"waiting\":{LIBRARY:N}}",
      ]
    ),
    (
      "media copy; and what is not there yet if the other library cannot be reached:",
      [
        "{\"to\":TEXT,\"new\":N,\"updated\":N,\"unchanged\":N,\"pictures\":N,\"missing\":N,\"refused\":N,",
        " \"unclaimed\":N,\"different\":N,",
        " \"marks\":{\"albums\":N,\"searches\":N,\"rules\":N,\"hidden\":N}}", "{\"to\":TEXT,\"waiting\":N}",
      ]
    ),
    (
      "media doctor, one per thing looked at; STATE is good, notice, problem or unknown:",
      ["{\"examination\":TEXT,\"state\":STATE,\"message\":TEXT,\"cure\":TEXT}"]
    ),
    (
      "media check, one per finding; keys that do not apply are left out:",
      ["{\"kind\":TEXT,\"detail\":TEXT,\"path\":PATH,\"blob\":TEXT,\"post\":N,\"repaired\":BOOL}"]
    ),
    (
      "media gc:",
      [
        "{\"trashed\":N,\"blobs\":N,\"orphans\":N,\"strangers\":N,\"avatars\":N,\"thumbnails\":N,\"bytes\":N,\"store\":N,",
        " \"waste\":N,\"dry_run\":BOOL}",
      ]
    ),
    (
      "media login and accounts, one per login:",
      ["{\"account\":TEXT,\"source\":TEXT,\"server\":TEXT,\"name\":TEXT,\"scopes\":[TEXT],\"expires\":TIME}"]
    ),
    ("media settings: an object with one setting or all of them.", []),
  ]

  /// An object of these pairs, in lines that fit a terminal.
  private static func folded(_ pairs: [String]) -> [String] {
    var lines: [String] = []
    for pair in pairs {
      if let last = lines.last, last.count + pair.count < 95 {
        lines[lines.count - 1] = "\(last),\(pair)"
      } else {
        if !lines.isEmpty { lines[lines.count - 1] += "," }
        lines.append((lines.isEmpty ? "{" : " ") + pair)
      }
    }
    return lines.dropLast() + lines.suffix(1).map { "\($0)}" }
  }
}
