/// The shapes of the JSON that commands print, for the manual. A test parses them, and holds what commands print to them.
enum ManualShapes {
  /// The commands that print these shapes, each of which is an object, and the shapes.
  typealias Shape = (title: String, lines: [String])

  /// All of them, in order.
  static let all: [Shape] = [
    shape(
      "media tag, user, search, feed, gaps --fill and harvest, one per feed; failure stands for a feed of a "
        + "harvest that failed, put_off for one left for the next harvest. complete says that nothing is missing "
        + "of what the source showed, down to where the pull was to end:",
      """
      {"feed":TEXT,"pages":N,"requests":N,
       "posts":{"new":N,"updated":N,"unchanged":N,"deleted":N,"unreadable":N,
        "misdated":N,"shortened"?:N},
       "media":{"downloaded":N,"deduplicated":N,"failed":N,"put_off":N,"skipped":N,"waiting":N,
        "bytes":N},
       "complete":BOOL,"next":TEXT?,"failure"?:TEXT,"put_off"?:true}
      """),
    shape(
      "media get, of a post and of what another program read; counts are left out with --explain. Of a feed it "
        + "prints what media feed does:",
      """
      {"address":TEXT,"way":TEXT,"feed"?:TEXT,"post"?:N,"new"?:N,"updated"?:N,"unchanged"?:N,
       "known"?:N,"deleted"?:N,"unreadable"?:N,"pictures"?:N,"absent"?:N,"left_out"?:N}
      """),
    shape(
      "media pictures:",
      """
      {"media":{"downloaded":N,"failed":N}}
      """),
    (
      "media list, show, add, plan, edit and album show, one per post; change stands with list --follow, one "
        + "per change, score with list --meaning:",
      folded(PostLine.shape)
    ),
    shape(
      "media delete, restore, mark, hide, unhide, album add, album remove and rules run, the ids of posts that "
        + "changed, and rules add --dry-run, of those that it finds:",
      """
      {"deleted":[N]}
      {"restored":[N]}
      {"marked":[N]}
      {"hidden":[N],"names"?:[TEXT]}
      {"shown":[N],"names"?:[TEXT]}
      {"added":[N]}
      {"removed":[N]}
      {"changed":[N]}
      {"found":[N]}
      """),
    shape(
      "media hidden, one per author or tag:",
      """
      {"name":TEXT,"posts":N}
      """),
    shape(
      "media album list, one per album:",
      """
      {"name":TEXT,"posts":N}
      """),
    shape(
      "media searches, one per saved search; no posts if it cannot be used:",
      """
      {"name":TEXT,"filter":TEXT,"posts"?:N}
      """),
    shape(
      "media rules, one per rule; failed has the posts that it could not change:",
      """
      {"name":TEXT,"filter":TEXT,"actions":[TEXT],"failed":[N],"reason"?:TEXT}
      """),
    shape(
      "media album create, move, rename, delete, searches save, rename, delete, and rules add, delete:",
      """
      {"changed":BOOL}
      """),
    shape(
      "media share add:",
      """
      {"id":N,"path":TEXT,"title":TEXT,"posts":N,"ends"?:TIME}
      """),
    shape(
      "media share list, one per share:",
      """
      {"id":N,"title":TEXT,"album"?:TEXT,"filter"?:TEXT,"live":BOOL,"originals":BOOL,
       "password":BOOL,"with":[TEXT],"made":TIME,"ends"?:TIME,"revoked"?:TIME,"open":BOOL}
      """),
    shape(
      "media share revoke, the number of shares:",
      """
      {"revoked":N}
      """),
    shape(
      "media undo:",
      """
      {"undone":TEXT?,"posts":[N]}
      """),
    shape(
      "media same, one per group; and with a verdict:",
      """
      {"posts":N,"pictures":[{"id":N,"file":N,"created_at":TIME,"author"?:TEXT,
        "sha256":TEXT,"bytes":N,"width"?:N,"height"?:N,"distance"?:N,"exact":BOOL,
        "first":BOOL,"largest":BOOL}],"twins"?:[{"exported":N,"shown":N}]}
      {"changed":N,"joined"?:N}
      """),
    shape(
      "media look; and with --wrong or --right:",
      """
      {"files":N,"failed":N,"read":N}
      {"changed":N}
      """),
    shape(
      "media gaps, one per gap:",
      """
      {"feed":TEXT,"kind":"gap"|"unfinished","above":TEXT?,"below":TEXT?,"from":TIME?,"to":TIME?}
      """),
    shape(
      "media follow and follows, one per feed; durations are seconds, and respite is requested_delay by its former "
        + "name. follows --all also prints those that are not followed:",
      """
      {"feed":TEXT,"every":N?,"interval":N,"requested_delay":N?,"respite":N?,
       "last":TIME?,"next":TIME?,"state":TEXT,"failures":N,"failure":TEXT?,"failing_since":TIME?,
       "failed_at":TIME?,"only":[TEXT]?,"max_size":N?,"newest":N?}
      {"feed":TEXT,"followed":false,"complete":[{"from"?:TIME,"to":TIME}],"gaps":N}
      """),
    shape(
      "media unfollow:",
      """
      {"unfollowed":TEXT,"forgotten":BOOL}
      """),
    shape(
      "media runs, one per harvest or pull by hand; events stand with an ID or --verbose, feed with a pull:",
      """
      {"run":N,"kind":"harvest"|"pull","feed"?:TEXT?,"started":TIME,"finished":TIME?,
       "state":TEXT,"code":N?,
       "feeds":{"planned":N,"pulled":N,"failed":N,"limited":N,"put_off":N},
       "posts":{"new":N,"updated":N,"unchanged":N,"deleted":N,"unreadable":N},
       "media":{"stored":N,"failed":N},"pages":N,"requests":N,"bytes":N,"waited":SECONDS,
       "failures":[{"feed":TEXT,"failure":TEXT}],
       "rechecks":{"looked_up":N,"edited":N,"gone":N},
       "notices":[{"kind":TEXT,"about":TEXT,"notice":TEXT}],
       "events"?:[{"time":TIME,"level":"info"|"notice"|"error","event":TEXT,"feed"?:TEXT,"host"?:TEXT,
        "seconds"?:SECONDS,"count"?:N,"message":TEXT}]}
      """),
    shape(
      "media schedule show and install, if harvests are scheduled; next is as systemd writes it, or a time:",
      """
      {"by":"cron"|"systemd","every"?:TEXT,"line":TEXT,"next"?:TEXT,"output":TEXT}
      """),
    shape(
      "media recheck, one per feed:",
      """
      {"feed":TEXT,"looked_up":N,"edited":N,"unchanged":N,"gone":N,"unanswered":N,"requests":N}
      """),
    shape(
      "media stats; read stands if text in pictures is read, waiting for libraries into which this one is "
        + "copied:",
      """
      {"posts":N,"deleted":N,"authors":N,"tags":N,"feeds":N,"unreadable":N,"blobs":N,
       "bytes":N,"inspected":N,"read"?:N,"oldest"?:TIME,"newest"?:TIME,
       "pictures":{"stored":N,"pending":N,"failed":N,"gone":N,"skipped":N},
       "model"?:{"name":TEXT,"inspected":N,"failed":N},"waiting"?:{LIBRARY:N}}
      """),
    shape(
      "media import, of a library, of an archive or a folder (the last five keys with --check), and of a list "
        + "of feeds:",
      """
      {"new":N,"updated":N,"unchanged":N,"unreadable":N,"pictures":N,"missing":N,"unclaimed":N,
       "marks"?:{"albums":N,"searches":N,"rules":N,"hidden":N}}
      {"import":TEXT,"format":TEXT,"dry_run":BOOL,"new":N,"updated":N,"unchanged":N,"deleted":N,
       "unreadable":N,"private":N,"pictures":N,"absent":N,"left_out":{WHAT:N},"absent_files":[TEXT],
       "unaddressed":N,"declared"?:N?,"found"?:N,"named"?:N,"missing_files"?:[TEXT],"unused_files"?:[TEXT]}
      {"followed":N,"followed_before":N,"unusable":[TEXT]}
      """),
    shape(
      "media export --out, of a file, of a site and of a zip, and --files:",
      """
      {"format":TEXT,"items":N,"bytes":N,"path":TEXT}
      {"format":"html","posts":N,"written":N,"kept":N,"removed":N,"bytes":N,"left_out":N,"path":TEXT}
      {"format":"zip","path":TEXT,"written":N,"same":N,"missing":N,"lost":N,"bytes":N}
      {"files":TEXT,"written":N,"linked":N,"left":N,"same":N,"bytes":N,"missing":N,"sidecars":N,"kept":N}
      """),
    shape(
      "media backup:",
      """
      {"folder":TEXT,"unchanged":BOOL,"copied":N,"bytes":N,"removed":N,"failed":N}
      """),
    shape(
      "media copy; and what is not there yet if the other library cannot be reached:",
      """
      {"to":TEXT,"new":N,"updated":N,"unchanged":N,"pictures":N,"missing":N,"refused":N,
       "unclaimed":N,"different":N,
       "marks":{"albums":N,"searches":N,"rules":N,"hidden":N}}
      {"to":TEXT,"waiting":N}
      """),
    shape(
      "media doctor, one per thing looked at:",
      """
      {"examination":TEXT,"state":"good"|"notice"|"problem"|"unknown","message":TEXT,"cure"?:TEXT}
      """),
    shape(
      "media check and backup --verify, one per finding; and with --against, one per difference:",
      """
      {"kind":TEXT,"detail":TEXT,"path"?:PATH,"blob"?:TEXT,"post"?:N,"repaired"?:BOOL}
      {"what":TEXT,"only":"here"|"there"}
      {"what":TEXT,"differs":[TEXT]}
      """),
    shape(
      "media gc:",
      """
      {"trashed":N,"blobs":N,"orphans":N,"strangers":N,"avatars":N,"thumbnails":N,"bytes":N,"store":N,
       "waste":N,"dry_run":BOOL}
      """),
    shape(
      "media library make and meaning; grants, one per statement; grants --run; and move-pictures:",
      """
      {"made":BOOL}
      {"statement":TEXT}
      {"reader":TEXT,"writer":TEXT}
      {"blobs":TEXT,"verified":N,"copied":N,"bytes":N,"missing":N}
      """),
    shape(
      "media login and accounts, one per login; login prints an address first:",
      """
      {"account":TEXT,"source":TEXT,"server":TEXT,"name":TEXT,"scopes":[TEXT],"expires":TIME?}
      {"authorize":TEXT}
      """),
    shape(
      "media logout:",
      """
      {"account":TEXT,"revoked":BOOL}
      """),
    shape(
      "media settings, one setting or all of them:",
      """
      {SETTING:TEXT}
      """),
    shape(
      "media demo:",
      """
      {"url":TEXT}
      """),
  ]

  private static func shape(_ title: String, _ lines: String) -> Shape {
    (title, lines.split(separator: "\n").map(String.init))
  }

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
