import Markup
import PropertyTesting
import Testing

struct StartTagsTests {
  private func find(_ html: String, _ names: Set<String> = ["img"]) -> [StartTag] {
    StartTags.find(names, in: Array(html.utf8), most: 10)
  }

  @Test func `tags are found with their attributes, references resolved`() {
    let tags = find(#"<p><IMG Src="a.jpg?x=1&amp;y=2" alt='a "b"' width=3 hidden><img/></p>"#)
    #expect(
      tags == [
        StartTag(name: "img", attributes: ["src": "a.jpg?x=1&y=2", "alt": "a \"b\"", "width": "3", "hidden": ""]),
        StartTag(name: "img", attributes: [:]),
      ])
    #expect(tags[0]["hidden"] == nil)
  }

  @Test func `comments, scripts and malformed tags are skipped`() {
    #expect(find("<!-- <img src=1> --><script><img src=2></script><style><img></style>< img><img src=3").isEmpty)
    #expect(find("<!--><img src=1>")[0]["src"] == "1")
    #expect(find("<script>x</script ><img src=1>")[0]["src"] == "1")
  }

  @Test func `no more tags than wanted are found, and of several attributes with one name the first counts`() {
    #expect(find(String(repeating: "<img>", count: 100)).count == 10)
    #expect(find("<img src=1 src=2>")[0]["src"] == "1")
  }

  @Test(.timeLimit(.minutes(10)), arguments: ["<", "<img ", "<!--", "<script>", "<img a=\"", "<img a", "<a b=c "])
  func `the work is linear in the length`(part: String) {
    #expect(find(String(repeating: part, count: 200_000)).count <= 10)
  }
}
