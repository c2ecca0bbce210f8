import Posts
import Testing

/// Which files limits allow, and how they are written.
struct FileLimitsTests {
  private static let all = FileLimits(only: [.video, .image], maxSize: 50_000_000, newest: 3, maxTotal: 2_000_000_000)

  @Test(arguments: [
    (all, "only=image,video max-size=50000000 newest=3 max-total=2000000000"), (FileLimits(), nil),
    (FileLimits(newest: FileLimits.unbounded), "newest=none"),
    (FileLimits(maxSize: FileLimits.unbounded), "max-size=none"),
    (FileLimits(only: [.file]), "only=file"),
  ])
  func `limits are stored as text, and read again`(limits: FileLimits, text: String?) {
    #expect(limits.stored == text)
    #expect(FileLimits(stored: text) == limits)
  }

  @Test(arguments: [
    "", " ", "=", "only", "only=", "only=films", "max-size=-1", "max-size=0", "newest=many",
    "max-size=9223372036854775808",
    "colour=red", "only=,, max-size=1e3 newest==3",
  ])
  func `text that is no limits says nothing`(text: String) { #expect(FileLimits(stored: text).isEmpty) }

  @Test func `what one says nothing about, the other does`() {
    let own = FileLimits(maxSize: FileLimits.unbounded)
    #expect(
      own.over(Self.all) == FileLimits(only: [.video, .image], maxSize: .max, newest: 3, maxTotal: 2_000_000_000))
    #expect(FileLimits().over(Self.all) == Self.all)
  }

  @Test(arguments: [
    (Posts.Attachment.Kind.image, "https://a.example/film.mp4", FileLimits.Kind?.some(.image)), (.gifv, "", .video),
    (.audio, "", .audio),
    (.file, "https://a.example/a.MP3?x=1.png", .audio), (.file, "https://a.example/book.pdf", nil),
    (.file, "https://a.example/?file=a.png", nil), (.file, "data:,x", nil),
  ])
  func `a kind is what the source says, else what the name says`(
    kind: Posts.Attachment.Kind, url: String, expected: FileLimits.Kind?
  ) {
    #expect(FileLimits.Kind(kind, addresses: [url]) == expected)
  }

  @Test func `a file of which nothing is known is wanted until something is`() {
    let limits = FileLimits(only: [.audio])
    #expect(limits.wants(nil) && limits.wants(.audio) && !limits.wants(.file))
    #expect(FileLimits(maxSize: 1).wants(.file))
  }

  @Test func `only a limit that allows more brings back what it left out`() {
    let before = FileLimits(only: [.image], maxSize: 100, newest: 3)
    let cases: [(FileLimits, [FileLimits.Limit])] = [
      (FileLimits(), []), (before, []), (FileLimits(only: [.image], maxSize: 99, newest: 4), []),
      (FileLimits(only: [.audio]), [.kind]), (FileLimits(maxSize: 101), [.size]),
      (FileLimits(newest: FileLimits.unbounded), [.newest]), (FileLimits(maxTotal: 1), [.total]),
      (FileLimits(only: Set(FileLimits.Kind.allCases), maxSize: .max), [.kind, .size]),
    ]
    for (limits, reopened) in cases {
      #expect(FileLimits.Limit.allCases.filter { limits.reopen($0, leftOutUnder: before) } == reopened, "\(limits)")
    }
  }

  @Test(arguments: [
    ("kind", "not among the wanted kinds"), ("size", "larger than 50 MB"), ("newest", "not of the 3 newest posts"),
    ("total", "past the first 2 GB of its pull"),
  ])
  func `a reason is words`(limit: String, words: String) {
    #expect(LeftOut(stored: limit, limits: Self.all.stored)?.description == words)
  }

  @Test func `a reason whose limits are lost is words, too, and a stranger is none`() {
    let words = FileLimits.Limit.allCases.compactMap { LeftOut(stored: $0.rawValue, limits: nil)?.description }
    #expect(
      words == [
        "not among the wanted kinds", "too large", "not of the newest posts", "past the first 1 GB of its pull",
      ])
    #expect(LeftOut(stored: "colour", limits: nil) == nil && LeftOut(stored: nil, limits: "newest=1") == nil)
    #expect(LeftOut(.newest, of: FileLimits(newest: 1)).description == "not of the newest post")
  }

  @Test func `sizes are exact`() {
    let sizes = [1, 999, 1000, 1500, 64 << 20, 5_000_000, 1_000_000_000].map { FileLimits.size(Int64($0)) }
    #expect(sizes == ["1 bytes", "999 bytes", "1 KB", "1500 bytes", "67108864 bytes", "5 MB", "1 GB"])
  }
}
