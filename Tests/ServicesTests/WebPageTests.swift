import Posts
import Services
import Testing

struct WebPageTests {
  @Test(arguments: [
    ("https://Birds.example/@ann", "user:ann@birds.example"), ("https://birds.example/@ann/", "user:ann@birds.example"),
    ("https://birds.example/@ann@far.example", "user:ann@far.example@birds.example"),
    ("https://birds.example/@ann/with_replies?x=1#y", "user:ann@birds.example"),
    ("https://birds.example/users/Ann", "user:ann@birds.example"),
    ("http://127.0.0.1:8080/web/@ann", "user:ann@http://127.0.0.1:8080"),
    ("https://birds.example/tags/Cats", "tag:cats@birds.example"),
    ("https://birds.example/discover/tags/k%C3%A4tzchen", "tag:kätzchen@birds.example"),
    ("https://www.instagram.com/explore/tags/cats/", "tag:cats@instagram+instagram.com"),
    ("https://instagram.com/ann?igsh=1", "user:ann@instagram+instagram.com"),
    ("https://bsky.app/profile/Ann.example.org", "user:ann.example.org@bluesky+bsky.social"),
    ("https://bsky.app/profile/did:plc:abcabc", "user:did:plc:abcabc@bluesky+bsky.social"),
    ("https://bsky.app/hashtag/Cats", "tag:cats@bluesky+bsky.social"),
    ("https://www.tumblr.com/tagged/red%20panda", "tag:red panda@tumblr+tumblr.com"),
    ("https://www.tumblr.com/staff", "user:staff@tumblr+tumblr.com"),
    ("https://staff.tumblr.com/", "user:staff@tumblr+tumblr.com"),
    ("https://tumblr.com/@staff", "user:staff@tumblr+tumblr.com"),
    ("https://www.flickr.com/photos/Ann-Lee/", "user:ann-lee@flickr+flickr.com"),
    ("https://flickr.com/people/12037949754@N01", "user:12037949754@n01@flickr+flickr.com"),
    ("https://www.flickr.com/photos/tags/Cats/", "tag:cats@flickr+flickr.com"),
    ("https://www.flickr.com/search/?license=4&text=red%20panda", "search:red panda@flickr+flickr.com"),
    ("https://lemmy.example/c/Pics", "user:!pics@lemmy+lemmy.example"),
    ("https://lemmy.example/c/pics@far.example?sort=New", "user:!pics@far.example@lemmy+lemmy.example"),
    ("https://lemmy.example/u/ann@far.example", "user:ann@far.example@lemmy+lemmy.example"),
    ("https://twitter.com/Ann", "user:ann@x+x.com"), ("https://x.com/hashtag/cats?src=h", "tag:cats@x+x.com"),
  ])
  func `a profile's and a tag's address stand for the feed`(address: String, name: String) {
    #expect(Catalogue.feed(at: address)?.name == name)
  }

  @Test(arguments: [
    "https://birds.example/", "https://birds.example/ann", "https://birds.example/@",
    "https://birds.example/about/more",
    "https://x.com/search", "https://instagram.com/p/abc/", "ftp://birds.example/@ann", "@ann", "birds.example/@ann",
    "https://a:b@birds.example/@ann", "https://www.tumblr.com/dashboard", "https://staff.tumblr.com/archive",
    "https://www.flickr.com/search/?text=%20", "https://www.flickr.com/photos/tags",
    "https://birds.example/search?text=cats",
  ])
  func `other addresses stand for none`(address: String) {
    #expect(Catalogue.feed(at: address) == nil)
  }

  @Test func `a name alone is a profile where a user is meant`() {
    #expect(Catalogue.feed(at: "https://photos.example/ann", as: .user)?.name == "user:ann@photos.example")
    #expect(Catalogue.feed(at: "https://photos.example/ann/more", as: .user) == nil)
    #expect(Catalogue.feed(at: "https://x.com/search", as: .user) == nil)
  }

  @Test(arguments: [
    ("https://birds.example/@ann/112233", "112233"), ("https://birds.example/users/ann/statuses/1", "1"),
    ("https://x.com/ann/status/12?s=20", "12"), ("https://birds.example/notice/AbC", "AbC"),
    // Its API asks by another id.
    ("https://www.instagram.com/p/Cx_1/", nil),
    ("https://bsky.app/profile/ann.example.org/post/3mcats0000004", nil),
    ("https://staff.tumblr.com/post/123/a-slug", nil), ("https://www.tumblr.com/staff/123/a-slug", nil),
    ("https://misskey.example/notes/9zc3", "9zc3"),
    ("https://www.flickr.com/photos/ann/53412345678/in/album-7215/", "53412345678"),
    ("https://flickr.com/photos/12037949754@N01/53412345678", "53412345678"),
    ("https://flic.kr/p/2pnSevG", "53412345678"), ("https://flic.kr/p/0", nil),
    ("https://www.flickr.com/photos/ann/albums", nil),
    ("https://lemmy.example/post/4004", "4004"), ("https://piefed.example/c/pics/p/4004/a-slug", "4004"),
  ])
  func `a post's address is known as one`(address: String, id: String?) {
    #expect(Catalogue.page(at: address)?.page == .post(id: id))
  }
}
