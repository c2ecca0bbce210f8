import Testing

@testable import Services

struct MarkdownTests {
  @Test(arguments: [
    ("plain text", "plain text"), ("**bold** and __bold__ and ~~gone~~", "bold and bold and gone"),
    ("*a* _b_ ***c***", "a b c"), ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
    ("[the map](https://maps.example/?a=1 \"Map\") end", "the map end"), ("[x] (no link)", "[x] (no link)"),
    ("[b](https://w.example/B_(letter)) end", "b end"), ("<https://a.example/x_y_z>", "https://a.example/x_y_z"),
    ("https://a.example/_x_*", "https://a.example/_x_*"), ("a < b > c", "a < b > c"),
    ("# Head\n## Next #1\n#tag stays", "Head\nNext #1\n#tag stays"),
    ("> quoted\n- item\n* star", "> quoted\n- item\n* star"),
    (##"\*not\* \# a \\ b"##, #"*not* # a \ b"#), ("`**code**` **so**", "**code** so"),
    ("a lone ` and **so**", "a lone ` and **so**"),
    ("```\n**kept** [x](y)\n```\nafter **b**", "**kept** [x](y)\nafter b"),
    ("```\nnever closed **b**", "never closed **b**"),
    ("::: spoiler The end\nhidden\n:::\nafter", "The end\nhidden\n\nafter"),
    ("one ![a](https://a.example/1.png) two", "one  two"), ("one\n\n![](https://a.example/1.png)\n\ntwo", "one\n\ntwo"),
    ("[![a](https://a.example/1.png)](https://a.example/)", ""), ("**never\n\nclosed** x", "**never\n\nclosed** x"),
    ("猫 **猫**", "猫 猫"), ("", ""), ("![a](no", "![a](no"), ("]] ) ** __", "]] ) ** __"),
  ])
  func `signs go, and what they stand around stays`(written: String, plain: String) {
    #expect(Markdown(written).text == plain)
  }

  @Test func `pictures are found with their words`() {
    let markdown = Markdown(
      "![one *two*](https://a.example/1.png \"t\") [![](<https://a.example/2.png>)](https://b.example)")
    #expect(
      markdown.pictures == [
        .init(address: "https://a.example/1.png", alt: "one *two*"), .init(address: "https://a.example/2.png", alt: ""),
      ])
    let beside = "# ![a](https://a.example/1.png)![b](https://a.example/2.png) **c**![](https://a.example/3.png)"
    #expect(Markdown(beside).pictures.map(\.address.last) == ["g", "g", "g"])
    // Each would have the texts of all within.
    let nested =
      String(repeating: "![", count: 1000) + "x" + String(repeating: "](https://a.example/1.png)", count: 1000)
    #expect(Markdown(nested).pictures.count == 1)
    #expect(Markdown("`![a](https://a.example/1.png)` \\![b](https://a.example/2.png)").pictures.isEmpty)
  }

  @Test(arguments: [
    ("#Cats and #red_panda, (#猫)!", ["Cats", "red_panda", "猫"]), ("#1 C# a#b https://a.example/#c &#39; ##d", []),
    ("#a#b", ["a"]), ("#", []), ("#2cats", ["2cats"]),
  ])
  func `tags are words behind a sign`(text: String, tags: [String]) {
    #expect(Markdown.tags(in: text) == tags)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "[", "]", "![a](http", "![a](", "](", "**", "*a", "_ ", "`", "```\n", "\\", "<http", "#", ":::", "~~~\n",
      "[a](http://b)",
      "![](https://a.example)", "\n", "``` ", "#a",
    ])
  func `a hostile text costs no more than it is long`(piece: String) {
    let text = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
    let markdown = Markdown(text)
    #expect(markdown.text.utf8.count <= text.utf8.count && markdown.pictures.count <= 1000)
    #expect(Markdown.tags(in: text).count <= 1000)
  }
}
