/// Examples of each command for its help and the manual. A test parses each of them.
enum Examples {
  /// A command line and what it does.
  typealias Example = (line: String, help: String)

  /// The examples by command name.
  static let table: [String: [Example]] = [
    "login": [
      ("media login mastodon.social", "prints a page to open; paste the code it shows"),
      ("media login x.com --source x --app-only --client-id KEY --client-secret-stdin", "an app's own keys"),
      ("media login bsky.social --oauth", "asks for your handle, then prints a page"),
    ],
    "logout": [("media logout ann@mastodon.social", "revokes the token, then forgets it")],
    "accounts": [("media accounts", "the logins, their permissions and expiry")],
    "tag": [
      ("media tag cats --server mastodon.social --pages 3", "the newest three pages"),
      ("media tag cats@mastodon.social --new", "posts since the last pull"),
      ("media tag cats birds --since 2026-01-01 --no-pictures", "two tags, back to a date, text alone"),
    ],
    "user": [("media user birds@photos.example --all", "a user's posts, from the newest to the first")],
    "search": [("media search \"red panda\" --server mastodon.social", "results of the server's search")],
    "feed": [
      ("media feed https://blog.example.org", "a feed, or the page that names one"),
      ("media feed https://blog.example.org/cast.xml --only audio --max-size 50MB", "sounds alone, and no long ones"),
    ],
    "gaps": [
      ("media gaps", "the known gaps"),
      ("media gaps tag:cats@mastodon.social --fill --pages 10", "fills them with up to ten pages"),
    ],
    "recheck": [("media recheck tag:cats@mastodon.social --since 2026-01-01", "looks up its posts again")],
    "get": [
      ("media get https://mastodon.social/@Gargron/109252111498807689", "one post, with its pictures"),
      ("media get https://xkcd.com", "a page that names its feed"),
      ("media get --explain https://danbooru.donmai.us/posts?tags=cat", "what would read it, and why"),
      ("media get --newest 50 https://danbooru.donmai.us/posts?tags=cat", "the newest posts of another site"),
    ],
    "look": [
      ("media look", "looks at the files that no harvest looked at yet"),
      ("media look tag:cats --again --only hash", "what the pictures of a tag look like, anew"),
      ("media look --wrong cat 12.2", "says that a model's tag of this file is wrong"),
    ],
    "same": [
      ("media same", "which posts show the same picture, and who had it first"),
      ("media same tag:cats --near 8", "those of a tag, by their hashes alone"),
      ("media same --different 12 40.2", "says that these two are not the same"),
    ],
    "pictures": [
      ("media pictures 17 18", "downloads the pictures of two posts that are missing"),
      ("media pictures 17 --only image", "what a limit left out, too, but no videos"),
      ("media pictures --filter is:failed --yes", "those that failed, without asking"),
    ],
    "library": [
      ("media library make --library work", "a library on a server, by the login that owns its database"),
      ("media library grants --library work --run", "lets media_reader read it, and media_writer write it, too"),
      ("media library meaning --library work", "lets a server with pgvector compare what pictures mean"),
      (
        "media library move-pictures s3://pictures/new --library work",
        "copies and compares its pictures, and records the new place"
      ),
    ],
    "schedule": [("media schedule install --every 30m", "a line in your crontab harvests from now on")],
    "follow": [
      ("media follow tag:cats@mastodon.social --every 1h", "harvests pull it once an hour"),
      ("media follow https://blog.example.org/cast.xml --newest 3", "files of the three newest posts alone"),
    ],
    "unfollow": [("media unfollow tag:cats@mastodon.social", "harvests no longer pull it; its posts stay")],
    "follows": [
      ("media follows", "the followed feeds, and when each is due"),
      ("media follows --all", "the other feeds, too, and what of them is complete"),
    ],
    "harvest": [
      ("media harvest", "new posts of every followed feed"),
      ("media harvest --due --quiet", "for cron: only feeds that are due, silent unless it fails"),
      ("media harvest --workers 4", "what is due in a shared library, on each of its machines, until it is ended"),
    ],
    "runs": [
      ("media runs --last", "the last harvest, feed by feed"),
      ("media runs 17", "a harvest, feed by feed, and what happened in it"),
    ],
    "list": [
      ("media list", "in a terminal the interactive list, in a pipe a table"),
      ("media list --tag cats --tag birds --limit 20 --plain", "posts of either tag, as a table"),
      ("media list --search \"red panda\" --json", "one JSON object a line"),
      ("media list --meaning \"a red car\" --limit 20", "the posts whose pictures mean this, by your model"),
      (
        "media list --library 'postgresql://db.example.org/media?blobs=/mnt/pictures'",
        "a library that several machines share"
      ),
      ("media list --library work", "a library by its name in config.toml"),
      ("media list --planned", "what is planned, soonest first"),
      ("media list --deleted", "what was deleted, and can be restored"),
      ("media list --follow --json", "the newest posts, then each change as it comes"),
    ],
    "show": [("media show 17 --open", "a whole post, and its page in the browser")],
    "serve": [
      ("media serve --open", "the gallery, in the browser"),
      ("media serve --library work --direct", "large files of a shared library from its S3 service"),
      ("media serve --new-address", "a one-time address for another browser"),
      ("media serve --set-password", "a password for browsers on the network, read from the terminal"),
      ("media serve --listen 192.168.1.5 --cert home.pem --key home.key", "for your network, by TLS"),
      ("media serve --metrics 127.0.0.1:9187", "also numbers for Prometheus, at /metrics of that address"),
      ("media serve --behind-proxy --host gallery.example --read-only", "behind a proxy, only to look"),
    ],
    "share": [
      ("media share add Winter", "an album for friends, at an address of its own, for 30 days"),
      ("media share add saved:best --live --days 7 --password-stdin", "what a saved search finds, with a password"),
      ("media share list", "the shares"),
      ("media share revoke 3", "ends one at once"),
    ],
    "doctor": [
      ("media doctor", "what keeps harvests from working, and what helps"),
      ("media doctor --json", "one JSON object a line, for scripts"),
    ],
    "stats": [
      ("media stats --json", "statistics of the library, for scripts"),
      ("media stats --format prometheus", "the same and more, for Prometheus"),
    ],
    "export": [
      ("media export --out all.ndjson", "everything, one JSON object a line"),
      ("media export --raw --out library.tar", "everything, pictures too, in one file"),
      ("media export --raw --blobs ~/backup --out ~/backup/all.ndjson", "also pictures and the answers of servers"),
      ("media export --format ics --out entries.ics", "the posts made by hand, for a calendar"),
      ("media export --format csv --tag cats --out cats.csv", "a table of a tag's posts, for a spreadsheet"),
      ("media export --format atom --search \"red panda\" --limit 50", "a feed of what a search finds"),
      ("media export --format html --tag cats --out cats", "a site of pages in a folder, which any browser opens"),
      ("media export --format warc --tag cats --out cats.warc", "pictures and answers, for a web archive"),
      ("media export --tag cats --files Pictures --sidecars xmp", "the pictures of a tag, with what is known of them"),
      ("media export --files Pictures --name {author}/{date:%Y}/{caption}_{n}.{ext}", "under names of your own"),
      ("media export --format zip in:Winter --out winter.zip", "the pictures of an album, in one file"),
      ("media export --format opml --out follows.opml", "the followed feeds, for another reader of feeds"),
    ],
    "add": [
      ("media add \"Saw a kingfisher\" --attach bird.jpg --tag birds", "a post of your own, with a picture")
    ],
    "plan": [
      (
        "media plan Dentist --start 2026-12-03T14:30 --finish 2026-12-03T16:10 --attach form.pdf",
        "an entry with a file"
      ),
      ("media plan Walk --start 2026-12-05 --tag birds", "an entry of a day"),
    ],
    "edit": [
      ("media edit 17 --start 2026-12-04T14:30", "moves an entry; it keeps its length"),
      ("media edit 17 --title Crown --tag health --detach 1", "another name, a tag more, a file less"),
    ],
    "open": [("media open 17 2", "the second attachment, in the system's program")],
    "import": [
      ("media import ~/gallery-dl --dry-run", "says what a folder of gallery-dl would bring"),
      ("media import archive-20260301.zip", "an archive that a service gave you"),
      ("media import archive-20260301.zip --check", "compares an archive with what it says to hold"),
      ("media import diary.json", "the entries of a diary; again, what changed in it"),
    ],
    "delete": [
      ("media delete 17 18", "deletes two posts; no later pull brings them back"),
      ("media delete --feed import:gallery-dl", "undoes an import"),
    ],
    "restore": [("media restore --tag cats", "brings back all deleted posts of a tag")],
    "mark": [
      ("media mark 17 18 --favourite --tag +print", "two favourites, with a tag of your own"),
      ("media mark --filter tag:cats --rating 4", "says how many posts fit, and asks"),
    ],
    "album": [
      ("media album create Winter", "makes an album"),
      ("media album add Winter 17 18", "puts two posts at its end"),
      ("media album move Winter 18 --before 17", "puts one before the other"),
    ],
    "rules": [
      ("media rules add boats tag:boat --tag +boat --album Boats", "marks new posts as they come in"),
      ("media rules add ads tag:sale --hide --dry-run", "how many stored posts a rule would find"),
      ("media rules", "the rules, and where they failed"),
    ],
    "hide": [
      ("media hide user:spam@photos.example", "all posts of an author"),
      ("media hide tag:ads 17", "a tag, and one post"),
    ],
    "unhide": [("media unhide tag:ads", "its posts are listed again")],
    "hidden": [("media hidden", "the hidden authors and tags")],
    "searches": [
      ("media searches save good rating:5 is:unseen", "a filter under a name"),
      ("media searches", "the saved searches, and how many posts each finds"),
    ],
    "undo": [("media undo", "takes the last change back")],
    "settings": [
      ("media settings", "all settings"), ("media settings refresh 5m", "sets how often the list refreshes"),
      ("media settings refresh --reset", "forgets that, so that the default counts"),
    ],
    "check": [("media check --repair", "checks everything and repairs what can be repaired")],
    "gc": [("media gc --dry-run", "prints what would be freed")],
    "backup": [
      ("media backup /mnt/disk/media", "copies the library, or what is new since the last time"),
      ("media backup /mnt/disk/media --verify", "then reads everything back"),
      ("media backup s3://backups/media --verify", "the same in a bucket of an S3 service"),
    ],
    "copy": [
      ("media copy ~/media /mnt/disk/media", "a library into another one, new or not"),
      ("media copy laptop desktop --dry-run", "what a merge would change"),
    ],
    "demo": [("media demo --posts 1000 --live", "a server of made-up posts that come and go")],
    "completions": [
      (
        "media completions bash > ~/.local/share/bash-completion/completions/media",
        "completion in bash, from the next shell on"
      )
    ],
    "manual": [("media manual | man -l -", "reads the manual page")],
  ]

  /// A command's examples, each line with its description below it.
  static func lines(of command: String) -> String {
    (table[command] ?? []).map { "  \($0.line)\n      \($0.help)" }.joined(separator: "\n")
  }
}
