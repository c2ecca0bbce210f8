import Browse
import Filters

/// The manual's sections beside the commands: files, variables, settings, keys, and the shapes of JSON.
enum ManualSections {
  /// A heading with terms or preformatted shapes.
  struct Section {
    let title: String
    var intro = ""
    var terms: [(term: String, help: String)] = []
    /// Preformatted lines, each group after its introduction.
    var shapes: [ManualShapes.Shape] = []
  }

  /// All of them, in order.
  static var all: [Section] { [files, environment, configuration, filters, keys, json] }

  private static let files = Section(
    title: "FILES",
    terms: [
      (
        "$XDG_DATA_HOME/media/media.sqlite",
        "The library's posts, in SQLite; XDG_DATA_HOME is ~/.local/share unless set. Its tables post, author, "
          + "attachment, tag, post_tag, feed, blob, raw, coverage and caption_fts keep their names."
      ),
      ("$XDG_DATA_HOME/media/blobs/", "The pictures: two hex digits of the SHA-256, a slash, and the other 62."),
      ("$XDG_DATA_HOME/media/quarantine/", "Files that media check --repair removed from the library."),
      ("$XDG_DATA_HOME/media/copies.json", "Up to where media copy copied the library into others."),
      ("$XDG_CONFIG_HOME/media/config.toml", "Settings that you write; XDG_CONFIG_HOME is ~/.config unless set."),
      ("$XDG_CONFIG_HOME/media/accounts.json", "The logins, readable only by you."),
      ("$XDG_CONFIG_HOME/media/gallery.json", "Who may look at the gallery: hashes, readable only by you."),
    ])

  private static let environment = Section(
    title: "ENVIRONMENT",
    terms: [
      (
        "MEDIA_HOME",
        "The library's folder. Unless MEDIA_CONFIG is set, the configuration lies in its config folder, where notify, "
          + "opener and look count for nothing: they are read from $XDG_CONFIG_HOME/media."
      ),
      (
        "MEDIA_LIBRARY",
        "The library, as --library names it: a folder, an address, or a name of config.toml. It moves no configuration."
      ),
      (
        "MEDIA_CONFIG",
        "The configuration's folder. If it lies in the library, its notify, opener and look have no effect."
      ),
      (
        "MEDIA_LOG",
        "The form of messages on standard error if --log-format does not say it: text or json. In text, lines that go to "
          + "the journal of systemd (JOURNAL_STREAM) have their priority before them, such as <3> for an error."
      ),
      ("XDG_DATA_HOME, XDG_CONFIG_HOME", "The parents of both folders, unless the variables above are set."),
      (
        "https_proxy, http_proxy, all_proxy, no_proxy",
        "Proxies, as in curl(1); upper case also works, except HTTP_PROXY."
      ),
      ("SSL_CERT_FILE, CURL_CA_BUNDLE", "A PEM file of certificate authorities that replaces the system's."),
      ("NO_COLOR", "Prints without colours."),
      ("COLUMNS", "The width of tables that are not printed to a terminal; 80 by default."),
    ])

  private static var configuration: Section {
    Section(
      title: "CONFIGURATION",
      intro: "config.toml holds one setting a line, such as refresh = \"5m\"; a line that begins with # is a comment. "
        + "Values set with media settings override it. Below the line [libraries], each line names a library for "
        + "--library, such as work = \"postgresql://db.example.org/work?blobs=s3://work/pictures\" or home = "
        + "\"~/pictures\". A word without a slash is such a name first, and else a folder. The settings:",
      terms: SettingKey.allCases.map { key in
        (key.rawValue, "\(key.help): \(key.choices). Default: \(key.standard).")
      })
  }

  private static var filters: Section {
    Section(
      title: "FILTERS",
      intro:
        "A filter is words, which are found as by --search, and terms. Terms that stand side by side must all match; "
        + "OR between them asks for one of them, - or not: before one for its opposite, parentheses hold them together, and "
        + "a|b is one of two values. Numbers take <, <=, > and >= before them. Text in quotes is a phrase, or a name with "
        + "spaces; word* is the beginning of a word. Days are those of local time. The terms:",
      terms: FilterKey.allCases.map { key in
        (key.example, key.choices.isEmpty ? key.help : "\(key.help) It knows \(key.choices.joined(separator: ", ")).")
      })
  }

  private static var keys: Section {
    Section(
      title: "KEYS", intro: "The keys of the interactive list:", terms: KeyTable.entries.map { ($0.keys, $0.help) })
  }

  private static let json = Section(
    title: "JSON",
    intro:
      "With --json each line is an object. TEXT, PATH and TIME are strings, N and SECONDS numbers; times are UTC. A "
      + "question mark behind a key says that it is left out where it does not apply, one behind a value that it may be "
      + "null. Later versions may add keys.",
    shapes: ManualShapes.all)
}
