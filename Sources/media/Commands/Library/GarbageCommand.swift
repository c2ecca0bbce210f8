import ArgumentParser
import Derivatives
import Storage
import Terminal
import Wording

/// `media gc`
struct GarbageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gc", _superCommandName: Media.name, abstract: "Free the space of data that is no longer needed.",
    discussion: """
      Removes pictures without a post and files without a row, once they are older than the setting gc-grace; pictures \
      of posts that were deleted longer ago than the setting trash; avatars beyond the setting cache; and thumbnails beyond the setting thumbnails. Posts and \
      deletions stay. Compacts the store's file if a twelfth of it is empty, which needs space for a copy; if the file \
      is larger than 1 GB only with --compact, because nobody else can write meanwhile. Does nothing during a pull.
      """)

  @Flag(help: "Print what would be removed, and remove nothing.")
  var dryRun = false

  @Flag(help: "Compact the store even if it takes long: about 12 seconds per GB.")
  var compact = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    let collector = GarbageCollector(
      library: app.library, settings: app.settings, console: app.console, time: app.time, dryRun: dryRun,
      compactsAll: compact)
    let garbage = app.library.exists ? try collector.collect() : Garbage()
    let thumbnails = app.library.exists ? try collector.collectThumbnails() : .init()
    if garbage.strangers > 0 {
      app.console.error(
        "media: \(NumberText.count(garbage.strangers, "file")) that no row knows are left alone, for they are more than those "
          + "that one knows: is media.sqlite the right one? \"media check --repair\" takes them in")
    }
    if global.json {
      return try app.console.result(
        try JSONText.object([
          "trashed": garbage.trashed, "blobs": garbage.blobs, "orphans": garbage.orphans,
          "strangers": garbage.strangers, "avatars": garbage.avatars, "thumbnails": thumbnails.files,
          "bytes": garbage.bytes + thumbnails.bytes, "store": garbage.store, "waste": garbage.waste,
          "dry_run": dryRun,
        ]))
    }
    if !global.quiet { try app.console.result(text(for: garbage, thumbnails)) }
    if garbage.waste > 0 {
      app.console.message(
        "\(NumberText.bytes(garbage.waste)) of the store's own file are empty: \"media gc --compact\" writes it anew")
    }
  }

  private func text(for garbage: Garbage, _ thumbnails: ThumbnailCache.Removed) -> SafeText {
    let parts = [
      (garbage.blobs, "that nothing shows"), (garbage.orphans, "that no row knew"),
      (garbage.avatars, "beyond the cache's size"), (thumbnails.files, "in the cache of thumbnails"),
    ].filter { $0.0 > 0 }.map { "\(NumberText.count($0.0, "file")) \($0.1)" }
    var sentences: [String] = []
    if !parts.isEmpty {
      let bytes = NumberText.bytes(garbage.bytes + thumbnails.bytes)
      sentences.append("\(dryRun ? "Would free" : "Freed") \(bytes): \(NumberText.list(parts)).")
    }
    if garbage.trashed > 0 {
      // Their files are younger than what is removed, or other posts show them.
      sentences.append(
        "\(dryRun ? "Would give" : "Gave") up \(NumberText.count(garbage.trashed, "picture")) of deleted posts.")
    }
    if garbage.store > 0 {
      sentences.append("The store \(dryRun ? "would take" : "takes") \(NumberText.bytes(garbage.store)) less.")
    }
    guard sentences.isEmpty else { return "\(sentences.joined(separator: " "))" }
    return dryRun ? "Nothing would go." : "Nothing to free."
  }
}
