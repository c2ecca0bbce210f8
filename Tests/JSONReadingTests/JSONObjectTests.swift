import Foundation
import JSONReading
import PropertyTesting
import Testing

struct JSONObjectTests {
  private func object(_ text: String) throws -> JSONObject { try #require(JSONObject(Array(text.utf8))) }

  private func string(_ inside: String) throws -> String? { try object("{\"a\":\"\(inside)\"}").string("a") }

  @Test func `each member is read as the type that the caller asks for`() throws {
    let object = try object(
      #" {"s":"cats","n":-1.5e1, "t":true,"o":{"x":{"y":"z"}} ,"l":["a",1,{"b":"c"},null],"0":null,"":7} "#)
    #expect(object.string("s") == "cats")
    #expect(object.number("n") == -15)
    #expect(object.integer("n") == -15)
    #expect(object.bool("t") == true)
    #expect(object.object("o")?.object("x")?.string("y") == "z")
    #expect(object.list("l", most: 9).map(\.string) == ["a", nil, nil, nil])
    #expect(object.list("l", most: 9).map(\.integer) == [nil, 1, nil, nil])
    #expect(object.objects("l", most: 9).map { $0.string("b") } == ["c"])
    #expect(object.integer("") == 7)
  }

  @Test func `a member of another type reads as absent, and a null member is present`() throws {
    let object = try object(#"{"s":"true","n":1,"t":null,"o":[],"l":{}}"#)
    #expect(object.number("s") == nil && object.bool("s") == nil && object.object("s") == nil)
    #expect(object.string("n") == nil && object.object("n") == nil && object.list("n", most: 9).isEmpty)
    #expect(object.string("t") == nil && object.text("t") == nil && object.bool("t") == nil)
    #expect(object.object("o") == nil && object.value("l")?.elements(most: 9) == nil)
    #expect(object.has("t") && !object.has("x"))
  }

  @Test func `of several members with one name the last counts, however it is escaped`() throws {
    #expect(try object(#"{"a":1,"b":2,"a":3}"#).integer("a") == 3)
    #expect(try object(#"{"\u0061b":1}"#).integer("ab") == 1)
    #expect(try object(#"{"a\"b":1,"a":2}"#).integer("a\"b") == 1)
  }

  @Test func `a malformed member does not affect the others`() throws {
    let object = try object(#"{"bad":tru,"worse":01,"name":"cats","list":[1,,2,],"broken":[1,:,2],"at":+1}"#)
    #expect(object.string("name") == "cats")
    #expect(object.bool("bad") == nil && object.integer("worse") == nil && object.integer("at") == nil)
    #expect(object.list("list", most: 9).map(\.integer) == [1, 2])
    #expect(object.list("broken", most: 9).map(\.integer) == [1])
  }

  @Test(arguments: [
    "", " ", "1", "null", "[]", #""a""#, "{", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1}}"#, #"{"a":1} x"#, "{1:2}",
    "{:}",
    #"{"a" 1}"#, #"{"a":"b}"#, #"{"a":[}}"#,
  ])
  func `anything but one complete object is nil`(text: String) {
    #expect(JSONObject(Array(text.utf8)) == nil)
  }

  @Test func `an object is read within its range and no further`() throws {
    let text = Array(#"[{"a":1},{"b":[2,{"c":3}]}]"#.utf8)
    let ranges = try JSONSlices.elements(of: text)
    #expect(JSONObject(text, at: ranges[0])?.integer("a") == 1)
    #expect(JSONObject(text, at: ranges[1])?.list("b", most: 2).last?.object?.integer("c") == 3)
    #expect(JSONObject(text, at: ranges[0].lowerBound..<(ranges[0].upperBound - 1)) == nil)
    #expect(JSONObject(text, at: 0..<0) == nil)
  }

  @Test func `escapes are decoded, and an invalid one becomes U+FFFD`() throws {
    #expect(try string(#"\"\\\/\b\f\n\r\t"#) == "\"\\/\u{8}\u{C}\n\r\t")
    #expect(try string(#"\u00e9\u732B-\uD83D\uDC08."#) == "é猫-🐈.")
    #expect(try string(#"\u0000"#) == "\0")
    for rest in ["12", "12g4", "+123", " 123", "١٢٣٤", ""] {
      #expect(try string("cat \\u\(rest)") == "cat \u{FFFD}\(rest)")
    }
    #expect(try string(#"C:\xats"#) == "C:\u{FFFD}ats")
  }

  @Test func `half a surrogate pair and invalid UTF-8 become U+FFFD, and the rest of the text stays`() throws {
    #expect(try string(#"cat \ud83d and bird"#) == "cat \u{FFFD} and bird")
    #expect(try string(#"\udc08\ud83d\n\ud83d\ud83d\udc08\ud83d\u0041"#) == "\u{FFFD}\u{FFFD}\n\u{FFFD}🐈\u{FFFD}A")
    for bytes in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x90]] as [[UInt8]] {
      let written = Array(#"{"a":"cat "#.utf8) + bytes + Array(#" bird","b":"\n"#.utf8) + bytes + Array(#""}"#.utf8)
      let read = try #require(JSONObject(written)?.string("a"))
      #expect(read.hasPrefix("cat \u{FFFD}") && read.hasSuffix("\u{FFFD} bird"), "\(bytes)")
      #expect(JSONObject(written)?.string("b")?.hasPrefix("\n\u{FFFD}") == true, "\(bytes)")
    }
  }

  @Test(
    arguments: [
      ("0", "0"), ("-0", "0"), ("17", "17"), ("9223372036854775807", "9223372036854775807"),
      ("18446744073709551615", "18446744073709551615"), ("18446744073709551616", nil), ("1.0", "1"), ("1e2", "100"),
      ("1.5", nil), ("9007199254740993.0", nil), ("1e400", nil), ("nan", nil), ("0x10", nil), ("1_0", nil), ("١", nil),
      ("-", nil), ("1.", nil), (".5", nil), ("1e", nil), ("00", nil), ("\"00\"", "00"), ("\"\"", ""),
    ] as [(String, String?)])
  func `a whole number is the text of its digits`(written: String, text: String?) throws {
    #expect(try object("{\"id\":\(written)}").text("id") == text)
  }

  @Test func `a whole number is a Boolean, and zero is false`() throws {
    let truths = try object(#"{"a":0,"b":1,"c":-3,"d":0.5,"e":"1","f":false}"#)
    #expect(truths.bool("a") == false && truths.bool("b") == true && truths.bool("c") == true)
    #expect(truths.bool("d") == nil && truths.bool("e") == nil && truths.bool("f") == false)
  }

  @Test func `of a long list the first elements are read`() throws {
    let list = try object("{\"a\":[\(String(repeating: "1,", count: 10_000))2]}")
    #expect(list.list("a", most: 3).map(\.integer) == [1, 1, 1])
    #expect(list.list("a", most: 10_001).last?.integer == 2)
    #expect(list.list("a", most: 0).isEmpty)
  }

  @Test func `nested objects are read to the maximum depth and no further`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
    }
    #expect(JSONObject(Array(nested(JSONSlices.deepest + 1).utf8))?.has("a") == true)
    #expect(JSONObject(Array(nested(JSONSlices.deepest + 2).utf8)) == nil)
  }

  @Test(arguments: PropertyTest.seeds(sample: 40, whole: 4000))
  func `any value equals what Foundation's parser finds`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    for _ in 0..<40 {
      let text = RandomJSON.value(depth: 5, &dice)
      let whole = Array("{\"a\":\(text)}".utf8)
      let theirs = try #require(try JSONSerialization.jsonObject(with: Data(whole)) as? [String: Any])["a"]
      let ours = try #require(JSONObject(whole)?.value("a"))
      #expect(RandomJSON.isSame(ours, theirs), "seed \(seed): \(text)")
    }
  }

  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 2000))
  func `a mutation that Foundation's parser accepts reads alike, and any other does no harm`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    for _ in 0..<200 {
      var whole = Array("{\"a\":\(RandomJSON.value(depth: 4, &dice))}".utf8)
      for _ in 0...dice.below(4) { whole.mutate(with: "[]{}\"\\,: 0eu-.\n", &dice) }
      let ours = JSONObject(whole)
      let theirs = try? JSONSerialization.jsonObject(with: Data(whole)) as? [String: Any]
      guard let theirs, theirs.count == 1, let value = theirs["a"] else {
        // Reading must terminate, whatever the bytes are.
        _ = ours?.value("a").map { ($0.text, $0.number, $0.bool, $0.object?.has("a"), $0.elements(most: 100)) }
        continue
      }
      let written = String(decoding: whole, as: UTF8.self)
      // Foundation's parser uses the first of several members with one name.
      if RandomJSON.names.contains(where: { written.components(separatedBy: "\"\($0)\"").count > 2 }) { continue }
      #expect(ours?.value("a").map { RandomJSON.isSame($0, value) } == true, "seed \(seed): \(written)")
    }
  }
}

/// Random JSON.
private enum RandomJSON {
  static let names: [StaticString] = ["a", "id", "media_attachments", "k", "é"]
  private static let pieces = [
    "a", #"\""#, #"\\"#, "é", "[", "}", ",", ":", #"\u0041"#, #"\u00E9"#, #"\ud83D\uDc08"#, #"\n"#, #"\/"#, "🐈", "猫",
    "cats and birds ", "\u{7F}", #"\u0000"#, #"\uFFFF"#,
  ]
  private static let numbers = [
    "0", "-0", "1", "-1", "12.5", "-0.25", "1e3", "1E-2", "9007199254740993", "18446744073709551615", "123456789012",
    "3.0", "1e30",
  ]

  static func value(depth: Int, _ dice: inout Dice) -> String {
    let space = ["", "", " ", "\n\t"][dice.below(4)]
    switch dice.below(depth > 0 ? 7 : 5) {
    case 0: return ["true", "false", "null"][dice.below(3)]
    case 1: return numbers[dice.below(numbers.count)]
    case 2: return String(Int.random(in: -100_000...100_000, using: &dice))
    case 3, 4: return "\"" + (0..<dice.below(12)).map { _ in pieces[dice.below(pieces.count)] }.joined() + "\""
    case 5:
      return "[" + (0..<dice.below(4)).map { _ in space + value(depth: depth - 1, &dice) }.joined(separator: ",") + "]"
    default:
      let members = names.shuffled(using: &dice).prefix(dice.below(4))
      let texts = members.map { "\(space)\"\($0)\"\(space):\(value(depth: depth - 1, &dice))" }
      return "{" + texts.joined(separator: ",") + space + "}"
    }
  }

  /// Whether our value equals the one from `JSONSerialization`.
  static func isSame(_ ours: JSONValue, _ theirs: Any?) -> Bool {
    switch theirs {
    case let text as String: ours.string == text && ours.text == text && ours.object == nil
    case let list as [Any]:
      ours.elements(most: .max).map { zip($0, list).allSatisfy(isSame) && $0.count == list.count } == true
    case let fields as [String: Any]:
      ours.object.map { object in
        names.allSatisfy { name in
          let value = object.value(name)
          return value.map { isSame($0, fields["\(name)"]) } ?? (fields["\(name)"] == nil)
        }
      } == true
    case is NSNull: ours.string == nil && ours.number == nil && ours.bool == nil && ours.object == nil
    case let number as NSNumber where isTruth(number):
      ours.bool == number.boolValue && ours.number == nil
    case let number as NSNumber:
      ours.number == number.doubleValue && ours.string == nil
        && (abs(number.doubleValue) >= 0x1p53 || ours.integer == Int(exactly: number.doubleValue))
    default: false
    }
  }

  private static func isTruth(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }
}
