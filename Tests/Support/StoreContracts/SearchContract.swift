import Filters
import Foundation
import Posts
import Storage

/// What a store promises of searches.
public enum SearchContract {
  /// The claims.
  public static let claims = [
    StoreClaim("a search finds words of captions") { library in
      try library.pull([post(2, caption: "a red fox"), post(1, caption: "a grey wolf")])
      var list = PostListQuery()
      list.search = "fox"
      try expect(try library.captions(list), ["a red fox"])
    },
    StoreClaim("a search finds a post by its author, its tags, and descriptions and names of its files") { library in
      var found = post(2, tags: ["hedgehogs"])
      found.author = Author(uri: "https://photos.example/birds", handle: "birds@photos.example", name: "Zoë Bird")
      found.attachments = [
        Attachment(kind: .image, url: "https://files.example/1", alt: "A snail\non a leaf", name: "IMG_2034.jpg"),
        Attachment(kind: .image, url: "https://files.example/2", alt: "Two crows"),
      ]
      try library.pull([found, post(1)])
      let searches = [
        "zoe", "birds", "birds@photos.example", "@Birds@photos.example ", "hedgeh", "snail leaf", "\"two crows\"",
        "2034",
        "img_2034.jpg", "zoe snail hedgehogs 2",
      ]
      for search in searches { try expect(try library.captions(PostListQuery(search: search)), ["post 2"]) }
      for search in ["photos.example", "\"snail on\" nothing", "\"crows img\"", "wolf@photos.example"] {
        try expect(try library.captions(PostListQuery(search: search)), [])
      }
      try expect(try library.captions(PostListQuery(search: "ada post")), ["post 1"])
    },
    StoreClaim("a search finds words inside of sentences that have no spaces") { library in
      var tagged = post(1, caption: "ラーメン", tags: ["東京タワー"])
      tagged.attachments = [Attachment(kind: .image, url: "https://files.example/1", alt: "夜の東京", name: "写真.jpg")]
      tagged.author = Author(uri: "https://photos.example/hanako", handle: "花@photos.example", name: "山田花子")
      let ids = try library.pull([
        post(4, caption: "日本の猫が好き"), post(3, caption: "我喜欢看电影和cat"), post(2, caption: "ฉันรักแมวมาก"), tagged,
      ]).posts
      func expectFound(_ search: String, _ found: [Int64]) throws {
        try expect(try library.other.posts(PostQuery(search: search, limit: nil)).map(\.id), found)
      }
      for (search, at) in [
        ("猫", 0), ("日本", 0), ("好き", 0), ("猫が好 ", 0), ("电影", 1), ("和cat", 1), ("喜欢 电影", 1), ("แมว", 2), ("タワ", 3),
        ("東京 夜", 3), ("花子", 3), ("花 写", 3), ("写真", 3), ("メン", 3),
      ] { try expectFound(search, [ids[at]]) }
      for search in ["本日", "猫日", "\"猫 日本\"", "影电", "東京夜の", "ンタ"] { try expectFound(search, []) }
      var edited = post(4, caption: "日本の犬が好き")
      edited.editedAt = noon
      try library.pull([edited])
      try expectFound("犬が", [ids[0]])
      try expectFound("猫が", [])
      try library.store.mark([ids[1]], [.note("友達の猫")], by: MarksContract.person, now: noon)
      var noted = PostListQuery()
      noted.filter = PostFilter(try Filter(parsing: "の猫"), now: noon, searchesNotes: true)
      try expect(try library.captions(noted), ["我喜欢看电影和cat"])
    },
    StoreClaim("a search follows authors that rename themselves, tags, files and deleted posts") { library in
      func named(_ name: String, _ numbers: [Int], alt: String? = nil, tags: [String] = ["cats"]) -> [Post] {
        numbers.map { number in
          var made = post(number, tags: tags)
          made.author?.name = name
          made.attachments = [Attachment(kind: .image, remoteID: "1", url: "https://files.example/1", alt: alt)]
          return made
        }
      }
      let ids = try library.pull(named("Ada", [3, 2, 1], alt: "a boat", tags: ["sea"])).posts
      try library.pull(named("Grace", [3], alt: "a ship", tags: ["ocean"]))
      try expect(try library.captions(PostListQuery(search: "grace")), ["post 3", "post 2", "post 1"])
      try expect(try library.captions(PostListQuery(search: "boat sea")), ["post 2", "post 1"])
      try expect(try library.captions(PostListQuery(search: "ocean ship grace")), ["post 3"])
      try library.store.delete([ids[1]], now: noon)
      try expect(try library.captions(PostListQuery(search: "boat sea")), ["post 1"])
      try expect(try library.other.awaitsWords(), false)
    },
  ]
}
