import Testing

@testable import Services

struct MFMTests {
  @Test(arguments: [
    ("plain #cats @ann@far.example :blobcat:", "plain #cats @ann@far.example :blobcat:"),
    ("$[tada hello]", "hello"), ("$[spin.speed=1s,x $[fg.color=f00 red] and more] end", "red and more end"),
    ("**bold** and ~~gone~~", "bold and gone"), ("2 ** 3", "2 ** 3"), ("<small>a</small> <b>c</b>", "a c"),
    ("[the map](https://maps.example/?a=1&b=2), ?[quiet](http://x.example)", "the map, quiet"),
    ("[b](https://w.example/B_(letter)) end", "b end"), ("[$[tada shaken]](https://x.example)", "shaken"),
    ("array[1] (not a link)", "array[1] (not a link)"),
    ("[x](javascript:alert)", "[x](javascript:alert)"), ("[x](https://a b)", "[x](https://a b)"),
    ("`**code**` and ```\n$[tada x]\n``` **so**", "`**code**` and ```\n$[tada x]\n``` so"),
    ("a lone ` and **bold**", "a lone ` and bold"), ("$[tada never closed", "$[tada never closed"),
    ("costs $[5]", "costs $[5]"), ("]] )", "]] )"), ("a < b > c", "a < b > c"), ("</b> alone <b>", "</b> alone <b>"),
    ("猫 $[jelly **猫**]", "猫 猫"), ("", ""),
  ])
  func `markup goes, and what it stands around stays`(written: String, plain: String) {
    #expect(MFM.plainText(written) == plain)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["$[a ", "[x](http", "**", "`", "```", "<b>", "$[a x]", "[", "]", "~~", "```\n", "[a](http://b)"])
  func `a hostile text costs no more than it is long`(piece: String) {
    let text = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
    #expect(MFM.plainText(text).utf8.count <= text.utf8.count)
  }
}
