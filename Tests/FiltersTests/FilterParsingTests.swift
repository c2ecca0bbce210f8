import Testing

@testable import Filters

struct FilterParsingTests {
  @Test(arguments: [
    ("", ""), ("  ", ""), ("sunset", "sunset*"), ("sunset ", "\"sunset\""), ("sunset beach", "sunset beach*"),
    ("sun* beach ", "sun* \"beach\""), ("\"red kite\"", "\"red kite\""), ("\"red ki\"*", "\"red ki\"*"),
    ("tag:cats", "tag:cats"), ("TAG:cats", "tag:cats"), ("tag:cats|dogs|cats", "tag:cats|dogs"),
    ("tag:\"a b\"|c", "tag:\"a b\"|c"), ("-tag:dogs", "-tag:dogs"), ("not:tag:dogs", "-tag:dogs"),
    ("--tag:dogs", "tag:dogs"), ("-(tag:a tag:b)", "-(tag:a tag:b)"), ("-(tag:a)", "-tag:a"),
    ("(tag:cats OR tag:kittens) -by:spam@photos.example", "(tag:cats OR tag:kittens) -by:spam@photos.example"),
    ("tag:a tag:b OR tag:c", "tag:a tag:b OR tag:c"), ("tag:a AND (tag:b AND tag:c)", "tag:a tag:b tag:c"),
    ("(tag:a OR (tag:b OR tag:c))", "tag:a OR tag:b OR tag:c"), ("is:Gone|edited", "is:gone|edited"),
    ("width:>4000", "width:>4000"), ("width:4000", "width:4000"), ("width:=4000", "width:4000"),
    ("size:>=5MB", "size:>=5MB"), ("size:<1500kb", "size:<1500kB"), ("size:>1.5mb", "size:>1500kB"),
    ("size:0", "size:0"), ("stored:>7d", "stored:>1w"), ("stored:<36h", "stored:<36h"),
    ("sort:Oldest", "sort:oldest"), ("tag:a sort:size b ", "tag:a sort:size \"b\""),
    ("(tag:a sort:size)", "tag:a sort:size"),
    ("since:2026 before:2026-3 on:2026-02-14", "since:2026 before:2026-03 on:2026-02-14"),
    ("12:30 ", "\"12:30\""), ("https://photos.example/@birds/1 ", "\"https://photos.example/@birds/1\""),
    ("cats - dogs", "cats \"-\" dogs*"), ("\"tag:cats\"", "\"tag:cats\""), ("\"OR\" \"AND\"", "\"OR\" \"AND\""),
    ("ORANGE ANDES ", "ORANGE \"ANDES\""), ("\"a \\\"b\\\" \\\\c\"", "\"a \\\"b\\\" \\\\c\""),
    ("DROP TABLE post; -- ", "DROP TABLE \"post;\" -\"-\""), ("кошка 猫 ", "кошка \"猫\""),
    ("like:012|3", "like:12|3"), ("like:\"feed a \\\"b\\\" c\"", "like:\"feed a \\\"b\\\" c\""),
    ("feed:tag:cats@photos.example", "feed:tag:cats@photos.example"), ("\"\u{301}\" ", "\"\u{301}\""),
  ])
  func `a filter has one spelling`(text: String, spelling: String) throws {
    let filter = try Filter(parsing: text)
    #expect(filter.description == spelling)
    #expect(try Filter(parsing: filter.description) == filter)
  }

  @Test(arguments: [
    ("tga:cats", FilterError.unknownKey("tga", nearest: "tag")), ("foo:bar", .unknownKey("foo", nearest: nil)),
    ("is:edted", .unknownValue("edted", .is, nearest: "edited")),
    ("has:wings", .unknownValue("wings", .has, nearest: nil)),
    ("place:Vienns", .noTown("Vienns", .place, nearest: "vienna")),
    ("place:\"Vienna, JP\"", .noTown("Vienna, JP", .place, nearest: nil)),
    ("country:Atlantis", .noTown("Atlantis", .country, nearest: nil)),
    ("country:Astria", .noTown("Astria", .country, nearest: "austria")),
    ("like:cats", .noNumber("cats", .like)), ("like:\"12 \"", .noNumber("12 ", .like)),
    ("width:wide", .noNumber("wide", .width)), ("width:>5MB", .noNumber(">5MB", .width)),
    ("width:", .noValue(.width)), ("size:>99999999999999999TB", .noNumber(">99999999999999999TB", .size)),
    ("width:>-1", .noNumber(">-1", .width)), ("size:1e5", .noNumber("1e5", .size)),
    ("since:yesterday", .noDate("yesterday", .since)), ("on:2026-02-30", .noDate("2026-02-30", .on)),
    ("on:2026-13", .noDate("2026-13", .on)), ("tag:", .noValue(.tag)), ("tag:a|", .noValue(.tag)),
    ("tag:\"\"", .noValue(.tag)), ("(tag:a", .unbalanced), ("tag:a)", .unbalanced), ("\"open", .unclosedQuote),
    ("tag:\"open", .unclosedQuote), ("OR tag:a", .nothing(beside: "OR")), ("tag:a OR", .nothing(beside: "OR")),
    ("tag:a OR OR tag:b", .nothing(beside: "OR")), ("()", .nothing(beside: "(")), ("not: a", .nothing(beside: "not:")),
    ("\"\"", .emptyQuote), ("tag:a \" \" b", .emptyQuote), ("rating:9", .noNumber("9", .rating)),
    ("rating:>5", .noNumber(">5", .rating)), ("rating:<0", .noNumber("<0", .rating)),
    ("-sort:size", .nestedOrder), ("sort:size OR tag:a", .nestedOrder), ("tag:a (b OR sort:size)", .nestedOrder),
    ("sort:size|rating", .nestedOrder), ("sort:size sort:rating", .nestedOrder),
    ("sort:siez", .unknownValue("siez", .sort, nearest: "size")), ("a\0b", .holdsNUL),
    (String(repeating: "(", count: 10_000), .tooLarge),
    (String(repeating: "-", count: 10_000) + "a", .tooLarge), (String(repeating: "a ", count: 10_000), .tooLarge),
    (String(repeating: "a ", count: 65), .tooLarge), (String(repeating: "a", count: 1001), .tooLarge),
    (String(repeating: "a", count: 70_000), .tooLarge),
  ])
  func `what is no filter says why`(text: String, error: FilterError) {
    #expect(throws: error) { try Filter(parsing: text) }
    #expect(!error.message.isEmpty && !error.cure.isEmpty)
  }

  @Test func `as many terms and levels as are named are read`() throws {
    let terms = Array(repeating: "tag:a", count: FilterParser.mostTerms).joined(separator: " ")
    #expect(try Filter(parsing: terms).terms.count == FilterParser.mostTerms)
    let inner = String(repeating: "(", count: FilterParser.mostLevels - 1)
    #expect(try Filter(parsing: inner + "tag:a" + inner.replacing("(", with: ")")).description == "tag:a")
    #expect(throws: FilterError.tooLarge) { try Filter(parsing: "(\(inner)tag:a)\(inner.replacing("(", with: ")"))") }
    let values = "width:" + (1...FilterParser.mostValues).map(String.init).joined(separator: "|")
    #expect(try Filter(parsing: values).terms[0].values.count == FilterParser.mostValues)
    #expect(throws: FilterError.tooLarge) { try Filter(parsing: "\(values) width:1") }
  }

  @Test(arguments: [
    ("cats tag:", "cats"), ("cats tag:do", "cats tag:do"), ("cats width:>", "cats"), ("cats since:2026-0", "cats"),
    ("cats \"red ki", "cats \"red ki\""), ("cats (tag:a OR ", "cats tag:a"), ("cats -", "cats \"-\"*"),
    ("cats is:ed", "cats"), ("cats tag:a|", "cats tag:a"), ("cats (", "cats"), ("cats \"", "cats"),
    ("cats \"\"", "cats"), ("cats not:", "cats"),
  ])
  func `what is not finished is ignored while somebody types`(text: String, spelling: String) throws {
    let filter = try Filter(parsing: text, isUnfinished: true)
    #expect(filter == (try Filter(parsing: spelling + " ")) || filter.description == spelling, "\(filter)")
  }

  @Test func `what is wrong before the end is told while somebody types`() {
    #expect(throws: FilterError.self) { try Filter(parsing: "is:edted cats", isUnfinished: true) }
    #expect(throws: FilterError.self) { try Filter(parsing: "tag:a) cats", isUnfinished: true) }
  }

  @Test(arguments: [
    ("visibility:direct", true), ("a -(tag:b OR is:edited|private)", true), ("is:edited private", false), ("", false),
  ])
  func `it is known whether a filter asks who may see posts`(text: String, asks: Bool) throws {
    #expect(try Filter(parsing: text).asksVisibility == asks)
  }

  @Test func `every key has an example that it reads`() throws {
    for key in FilterKey.allCases { #expect(try Filter(parsing: key.example).terms.map(\.key) == [key]) }
  }
}
