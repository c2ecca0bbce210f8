import Foundation
import ScriptedOrigin
import Testing

/// What a person makes of posts, from command to command and from library to library.
@Suite(.timeLimit(.minutes(10))) struct MarkJourneyTests {
  private func filled(_ body: @Sendable (Sandbox) async throws -> Void) async throws {
    var script = Script(posts: 4)
    for index in script.posts.indices {
      script.posts[index].boost = nil
      script.posts[index].caption = "caption-\(index) end"
      script.posts[index].html = "<p>caption-\(index) end</p>"
    }
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-avatars")
      try await body(sandbox)
    }
  }

  private func expect(
    _ numbers: [Int], _ filter: String, in sandbox: Sandbox, library: String? = nil
  ) async throws {
    let words = ["list", "--json", filter] + (library.map { ["--library", $0] } ?? [])
    let ended = try await sandbox.run(words)
    #expect(ended.status == 0, "\(words) \(ended.errors)")
    #expect((0...3).filter { ended.output.contains("caption-\($0)") } == numbers, "\(words)")
  }

  private func id(of caption: String, in sandbox: Sandbox) async throws -> String {
    let posts = try await sandbox.media("list", "--json", "\"\(caption)\"").objects()
    return "\(try #require(posts.first?["id"] as? Int))"
  }

  @Test func `posts, authors and tags are hidden, counted, published nowhere, and shown again`() async throws {
    try await filled { sandbox in
      let one = try await id(of: "caption-1", in: sandbox)
      let handles = Set(
        try await sandbox.media("list", "--json").objects()
          .compactMap { ($0["author"] as? [String: any Sendable])?["handle"] as? String })
      let hidden = try await sandbox.media("hide", one)
      #expect(hidden.errors == "Now hidden: 1 post; \"media undo\" takes it back.\n")
      try await expect([0, 2, 3], "-is:deleted", in: sandbox)
      try await expect([1], "is:hidden", in: sandbox)
      #expect(try await sandbox.media("list").errors == "1 post hidden: \"media list is:hidden\" shows what is.\n")
      let site = "\(sandbox.folder)/posts.csv"
      let exported = try await sandbox.media("export", "--format", "csv", "--out", site)
      #expect(exported.errors.contains("1 post hidden: \"media list is:hidden\" shows what is."))
      #expect(try !String(contentsOfFile: site, encoding: .utf8).contains("caption-1"))
      _ = try await sandbox.run(["hide"] + handles.map { "user:\($0)" } + ["tag:Ads"])
      try await expect([], "-is:deleted", in: sandbox)
      let names = try await sandbox.media("hidden")
      #expect(names.output.contains("tag:ads  0 posts\n"))
      #expect(handles.allSatisfy { names.output.contains("by:\($0)  ") }, "\(names.output)")
      // The library's own format keeps all of it.
      let archive = "\(sandbox.folder)/library.ndjson"
      try await sandbox.media("export", "--out", archive)
      let other = "\(sandbox.folder)/other"
      try await sandbox.media("import", archive, "--library", other)
      try await expect([], "-is:deleted", in: sandbox, library: other)
      try await expect([0, 1, 2, 3], "is:hidden", in: sandbox, library: other)
      let still = try await sandbox.media("unhide", one).errors
      #expect(still.hasPrefix("Now shown: 1 post, but by:") && still.contains(" still hidden; "), "\(still)")
      let again = try await sandbox.media("unhide", one).errors
      #expect(again.hasPrefix("Nothing changed: by:") && again.hasSuffix(" still hidden.\n"), "\(again)")
      try await sandbox.media("undo")
      try await sandbox.media("undo")
      try await expect([0, 2, 3], "-is:deleted", in: sandbox)
      let shown = try await sandbox.media("unhide", "--filter", "is:hidden", "--yes", "--json")
      #expect(try shown.object()["shown"] as? [Int] == [try #require(Int(one))])
      try await expect([0, 1, 2, 3], "-is:deleted", in: sandbox)
      for (words, text) in [
        (["hide", "cats"], "\"cats\" is no number of a post, no user:HANDLE and no tag:NAME"),
        (["hide", "user:nobody"], "nothing is stored of \"nobody\""), (["hide"], "give numbers of posts, user:HANDLE"),
        (["hide", "1", "--filter", "tag:cats"], "or --filter"),
      ] {
        let refused = try await sandbox.run(words)
        #expect(refused.status == 64 && refused.errors.contains(text), "\(refused.errors)")
      }
    }
  }

  @Test func `rules mark what comes in, tell of it, and are tried on what is there`() async throws {
    try await withOrigin(Script(posts: 4)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-avatars", "--pages", "1")
      let tried = try await sandbox.media("rules", "add", "all", "tag:cats", "--tag", "+new", "--notice", "--dry-run")
      #expect(tried.errors == "It would have found 4 stored posts.\n")
      #expect(try await sandbox.media("rules").output.isEmpty)
      try await sandbox.media("rules", "add", "all", "tag:cats", "--tag", "+new", "--notice")
      #expect(try await sandbox.media("rules").output == "all  tag:cats  tag +new, notice\n")
      let ran = try await sandbox.media("rules", "run", "ALL", "--json")
      #expect((try ran.object()["changed"] as? [Int])?.count == 4)
      let listed = try await sandbox.media("list", "--json", "own:new").objects()
      #expect(listed.count == 4)
      try await sandbox.media("rules", "delete", "all")
      try await sandbox.media("undo")
      let second = "\(sandbox.folder)/second"
      let archive = "\(sandbox.folder)/rules.ndjson"
      try await sandbox.media("export", "--out", archive)
      try await sandbox.media("import", archive, "--library", second)
      #expect(try await sandbox.media("rules", "--library", second).output == "all  tag:cats  tag +new, notice\n")
      for (words, text) in [
        (["rules", "add", "x", "tag:cats"], "say what to do"),
        (["rules", "add", "x", "tag:cats", "--album", "Nope", "--dry-run"], "there is no album \"Nope\""),
        (["rules", "run", "al"], "did you mean \"all\"?"),
        (["rules", "add", "x", "tag:cats", "--album", "none"], "there is no album \"none\""),
        (["rules", "add", "x", "nonsense:1", "--seen"], "nonsense"),
      ] {
        let refused = try await sandbox.run(words)
        #expect(refused.status == 64 && refused.errors.contains(text), "\(refused.errors)")
      }
    }
  }

  @Test func `many ids are read like few, whatever stands between them`() async throws {
    try await filled { sandbox in
      let ids = try await sandbox.media("list", "--json").objects().compactMap { $0["id"] as? Int }.sorted()
      let unknown = (1_000...1_200).map(String.init)
      let words =
        ["\(ids[0])", "\(ids[1])", "--rating", "3"] + unknown + ["\(ids[2])", "--tag", "2026", "\(ids[3])", "--json"]
      let marked = try await sandbox.run(["mark"] + words)
      #expect(try marked.object()["marked"] as? [Int] == ids)
      #expect(marked.errors.contains("1000") && marked.errors.contains("1200"), "\(marked.errors)")
      #expect(try await sandbox.media("list", "--json", "rating:3 own:2026").objects().count == ids.count)
      let refused = try await sandbox.run(["mark", "--seen"] + unknown + ["x"])
      #expect(refused.status == 64 && refused.errors.contains("'x'"), "\(refused.errors)")
      // An album may be called by a number, and 1,234 are not two posts.
      try await sandbox.media("album", "create", "2026")
      _ = try await sandbox.run(["album", "add", "2026"] + ids.map(String.init) + unknown)
      #expect(try await sandbox.media("list", "--json", "in:2026").objects().count == ids.count)
      for words in [["\(ids[0]),\(ids[1])"], ["\(ids[0]),\(ids[1])"] + unknown] {
        #expect(try await sandbox.run(["mark", "--seen"] + words).status == 64)
      }
    }
  }

  @Test func `posts are marked by their ids and by a filter, found by their marks, and each change is undone`()
    async throws
  {
    try await filled { sandbox in
      let (one, two) = (try await id(of: "caption-1", in: sandbox), try await id(of: "caption-2", in: sandbox))
      let marked = try await sandbox.media("mark", one, two, "--favourite", "--tag", "+Print", "--note", "a heron")
      #expect(marked.errors == "Marked 2 posts; \"media undo\" takes it back.\n")
      try await sandbox.media("mark", "--filter", "-is:favourite", "--rating", "2", "--seen", "--yes")
      try await expect([1, 2], "is:favourite", in: sandbox)
      try await expect([1, 2], "own:print has:note", in: sandbox)
      try await sandbox.media("mark", one, "--note", "")
      try await expect([2], "has:note", in: sandbox)
      try await sandbox.media("undo")
      try await sandbox.media("mark", two, "--note=")
      try await expect([1], "has:note", in: sandbox)
      try await sandbox.media("undo")
      try await expect([0, 3], "rating:2 is:seen", in: sandbox)
      try await sandbox.media("tag", "cats", "--no-avatars")
      try await expect([1, 2], "own:print", in: sandbox)
      #expect(try await sandbox.media("undo").errors.contains("2 posts as before"))
      try await expect([], "rating:>0", in: sandbox)
      #expect(try await sandbox.media("delete", one, "--dry-run").errors == "1 post would change.\n")
      #expect(try await sandbox.media("restore", one, "--dry-run").errors == "Nothing was deleted there.\n")
      try await expect([0, 1, 2, 3], "-is:deleted", in: sandbox)
      try await sandbox.media("delete", one)
      #expect(try await sandbox.media("restore", one, "--dry-run").errors == "1 post would change.\n")
      try await sandbox.media("undo")
      #expect(try await sandbox.media("undo", "--json").objects().first?["undone"] as? String == "mark 2 posts")
      try await expect([], "is:favourite OR own:print OR has:note", in: sandbox)
      #expect(try await sandbox.media("undo").errors == "There is nothing to undo.\n")
    }
  }

  @Test func `albums and saved searches are made, listed, filled and taken back`() async throws {
    try await filled { sandbox in
      let (one, two) = (try await id(of: "caption-1", in: sandbox), try await id(of: "caption-2", in: sandbox))
      try await sandbox.media("album", "create", "Winter 2025")
      try await sandbox.media("album", "add", "winter 2025", one, two)
      try await sandbox.media("album", "add", "Winter 2025", "--filter", "\"caption-0\"", "--yes")
      try await sandbox.media("album", "move", "Winter 2025", two, "--before", one)
      try await sandbox.media("album", "remove", "Winter 2025", one)
      try await expect([0, 2], "in:\"Winter 2025\"", in: sandbox)
      let shown = try await sandbox.media("album", "show", "Winter 2025", "--json").objects()
      #expect(shown.compactMap { $0["caption"] as? String }.map { $0.prefix(9) } == ["caption-2", "caption-0"])
      #expect(try await sandbox.media("album", "list", "--json").output == "{\"name\":\"Winter 2025\",\"posts\":2}\n")
      try await sandbox.media("searches", "save", "good", "in:\"Winter 2025\"", "tag:cats")
      try await expect([0, 2], "saved:good", in: sandbox)
      #expect(
        try await sandbox.media("searches", "--json").output
          == "{\"filter\":\"in:\\\"Winter 2025\\\" tag:cats\",\"name\":\"good\",\"posts\":2}\n")
      try await sandbox.media("searches", "rename", "good", "better")
      try await sandbox.media("album", "rename", "Winter 2025", "Snow")
      try await expect([0, 2], "saved:better", in: sandbox)
      try await expect([0, 2], "in:snow", in: sandbox)
      try await sandbox.media("album", "delete", "Snow")
      JourneyTests.expect(
        try await sandbox.media("list", "in:snow"), fails: 64, saying: "there is no album \"snow\"")
      JourneyTests.expect(
        try await sandbox.media("list", "--json", "saved:bettr"), fails: 64, saying: "did you mean \"better\"?")
      // What a saved search named is gone: neither nothing nor everything.
      for words in [["list"], ["list", "--json"], ["delete", "--yes", "--filter"]] {
        JourneyTests.expect(
          try await sandbox.run(words + ["not:saved:better"]), fails: 64,
          saying: "the saved search \"better\" cannot be used (there is no album \"Snow\")")
      }
      #expect(try await sandbox.media("searches").output == "better  cannot be used  in:Snow tag:cats\n")
      try await sandbox.media("undo")
      try await expect([0, 2], "in:snow", in: sandbox)
      JourneyTests.expect(
        try await sandbox.media("searches", "save", "better", "saved:better"), fails: 64, saying: "would name itself")
      JourneyTests.expect(
        try await sandbox.media("searches", "save", "all", ""), fails: 64, saying: "the filter is empty")
      JourneyTests.expect(
        try await sandbox.media("rules", "add", "x", "not:saved:none", "--seen"), fails: 64, saying: "no saved search")
      JourneyTests.expect(
        try await sandbox.media("album", "add", "Snwo", one), fails: 64,
        saying: "no album \"Snwo\": did you mean \"Snow\"?")
      JourneyTests.expect(
        try await sandbox.media("searches", "save", "bad", "tga:x"), fails: 64, saying: "\"tga\" is no key")
      JourneyTests.expect(
        try await sandbox.media("mark", one, "--tag", "x", "--untag", "+X"), fails: 64, saying: "both given and taken")
    }
  }

  @Test func `marks go with copies, NDJSON and sidecars that ask for them, and with nothing that is published`()
    async throws
  {
    try await filled { sandbox in
      let one = try await id(of: "caption-1", in: sandbox)
      try await sandbox.media(
        "mark", one, "--favourite", "--rating", "4", "--tag", "unique-tag", "--note", "unique-note")
      try await sandbox.media("album", "create", "unique-album")
      try await sandbox.media("album", "add", "unique-album", one)
      func path(_ name: String) -> String { "\(sandbox.folder)/\(name)" }
      try await sandbox.media("copy", sandbox.address, path("copied"))
      try await expect(
        [1], "is:favourite rating:4 own:unique-tag in:unique-album", in: sandbox, library: path("copied"))
      try await sandbox.media("export", "--out", path("all.tar"))
      try await sandbox.media("import", path("all.tar"), "--library", path("imported"))
      try await expect([1], "is:favourite has:note in:unique-album", in: sandbox, library: path("imported"))

      for format in ["atom", "json-feed", "activitystreams", "csv", "warc"] {
        let ended = try await sandbox.media("export", "--format", format, "--private")
        #expect(ended.status == 0 && !ended.output.contains("unique-"), "\(format)")
        // Nor does what chose the posts tell of them.
        let chosen = try await sandbox.media("export", "--format", format, "--private", "own:unique-tag -rating:3")
        #expect(chosen.status == 0 && chosen.output.contains("caption-1"), "\(format)")
        #expect(!chosen.output.contains("unique-tag") && !chosen.output.contains("rating"), "\(format)")
      }
      let titled = try await sandbox.media("export", "--format", "atom", "own:unique-tag", "--title", "Boats")
      #expect(titled.output.contains("Boats</title>"))
      try await sandbox.media("export", "--format", "html", "--out", path("site"), "--private")
      try await sandbox.media("export", "--files", path("plain"), "--sidecars", "xmp,json,hydrus", "--private")
      for folder in ["site", "plain"] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: path(folder))
        #expect(!files.isEmpty)
        for file in files {
          let bytes = FileManager.default.contents(atPath: "\(path(folder))/\(file)")
          #expect(bytes?.range(of: Data("unique-".utf8)) == nil, "\(file)")
        }
      }
      #expect(try await sandbox.media("export", "--format", "csv", "--marks").output.contains("unique-note"))
      for sidecars in ["json", "hydrus", "xmp"] {
        let folder = path("files-\(sidecars)")
        try await sandbox.media("export", "--files", folder, "--sidecars", sidecars, "--marks", "--private")
        try await sandbox.media("import", folder, "--format", "hydrus", "--library", path("from-\(sidecars)"))
        let library = path("from-\(sidecars)")
        let listed = try await sandbox.run(["list", "--json", "own:unique-tag", "--library", library]).objects()
        #expect(listed.count == 1, "\(sidecars)")
        #expect((listed.first?["tags"] as? [String])?.contains("unique-tag") == false, "\(sidecars)")
        if sidecars != "hydrus" { #expect(listed.first?["rating"] as? Int == 4, "\(sidecars)") }
        if sidecars == "json" { try await expect([1], "in:unique-album", in: sandbox, library: library) }
      }
    }
  }
}
