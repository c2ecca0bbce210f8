/// The boxes of an MP4 or QuickTime file (ISO/IEC 14496-12; QuickTime File Format).
///
/// Samples are found by their offsets, so nothing moves: what is left out becomes `free`, and its bytes zero.
struct FilmBoxes {
  /// The boxes that stay, by the box around them. Those that are keys here are read, too.
  private static let kept: [String: Set<String>] = [
    "": ["ftyp", "styp", "sidx", "mfra", "mdat", "pdin", "moov", "moof"],
    "moov": ["mvhd", "iods", "trak", "mvex", "udta", "meta"],
    "mvex": ["mehd", "trex", "leva"],
    "trak": ["tkhd", "tref", "edts", "tapt", "load", "mdia", "udta", "meta"],
    "mdia": ["mdhd", "hdlr", "elng", "minf"],
    "minf": ["vmhd", "smhd", "nmhd", "gmhd", "hdlr", "dinf", "stbl"],
    "stbl": [
      "stsd", "stts", "ctts", "cslg", "stsc", "stsz", "stz2", "stco", "co64", "stss", "stps", "stsh", "padb", "stdp",
      "sdtp", "sbgp", "sgpd", "subs", "saiz", "saio",
    ],
    "moof": ["mfhd", "traf"],
    "traf": ["tfhd", "tfdt", "trun", "sdtp", "sbgp", "sgpd", "subs", "saiz", "saio", "senc"],
    "udta": [
      "©nam", "©ART", "©aut", "©cpy", "©des", "©cmt", "©inf", "©day", "©mak", "©mod", "©swr", "©too", "cprt", "auth",
      "titl",
      "dscp", "perf", "name", "meta",
    ],
  ]
  /// The tracks that stay. Others may be a log of positions: of cameras, of drones, in subtitles.
  private static let tracks: Set<String> = ["vide", "soun"]
  private static let empty: Set<String> = ["free", "skip", "wide"]
  private static let mostBoxes = 100_000

  private let file: FilmBytes
  private var blanks: [Blank] = []
  private var samples: [Range<Int>] = []
  private var media: [Range<Int>] = []
  private var losesTrack = false
  private var isFragmented = false
  private var count = 0
  /// How many bytes of the file boxes take. Those behind them are left out.
  private(set) var end: Int

  /// Whether a copy would lack anything.
  var leavesOut: Bool { !blanks.isEmpty || !samples.isEmpty || end < file.length }

  /// Reads the boxes of an open file.
  init(of open: borrowing PictureFile) throws(Refusal) {
    file = FilmBytes(descriptor: open.descriptor, length: open.byteCount)
    end = file.length
    try scan("", 0..<file.length)
    guard !losesTrack || !isFragmented else {
      throw Refusal("its parts hold a track that is neither video nor sound")
    }
    guard
      samples.allSatisfy({ sample in
        media.contains { $0.lowerBound <= sample.lowerBound && sample.upperBound <= $0.upperBound }
      })
    else { throw FilmBytes.damaged }
  }

  /// Blanks what is left out in a copy of the file.
  func blank(_ descriptor: Int32) throws(Refusal) {
    let zeros = [UInt8](repeating: 0, count: 64 << 10)
    func zero(_ range: Range<Int>) throws(Refusal) {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: zeros.count) {
        try NewFile.put(Array(zeros.prefix(range.upperBound - start)), at: start, in: descriptor)
      }
    }
    for blank in blanks {
      try NewFile.put(Array("free".utf8), at: blank.name, in: descriptor)
      try zero(blank.content)
    }
    for range in samples { try zero(range) }
  }

  private struct Blank {
    let name: Int
    let content: Range<Int>
  }

  private mutating func scan(_ parent: String, _ range: Range<Int>) throws(Refusal) {
    for box in try boxes(in: range, isFile: parent.isEmpty) {
      if Self.empty.contains(box.name) {
        try blankIfFull(box)
      } else if !(Self.kept[parent]?.contains(box.name) ?? false) {
        guard box.name != "cmov" else { throw Refusal("its list of tracks is compressed") }
        blank(box)
      } else {
        try keep(box)
      }
    }
  }

  private mutating func keep(_ box: FilmBytes.Box) throws(Refusal) {
    switch box.name {
    case "mdat": media.append(box.content)
    case "meta": try keepMetadata(box)
    case "trak":
      if try file.handler(["mdia", "hdlr"], in: box.content).map(Self.tracks.contains) ?? false {
        return try scan(box.name, box.content)
      }
      losesTrack = true
      samples += try file.samples(ofTrack: box.content)
      blank(box)
    case "moof":
      isFragmented = true
      try scan(box.name, box.content)
    case let name where Self.kept[name] != nil: try scan(name, box.content)
    default: break
    }
  }

  /// Keeps the entries of a list whose names stay: of iTunes, or of QuickTime, which names them apart.
  private mutating func keepMetadata(_ box: FilmBytes.Box) throws(Refusal) {
    // In QuickTime it has no version.
    guard box.content.count >= 8 else { return blank(box) }
    let isQuickTime = try file.name(at: box.content.lowerBound + 4) == "hdlr"
    let range = box.content.dropFirst(isQuickTime ? 0 : 4)
    let handler = try file.handler(["hdlr"], in: range)
    guard handler == "mdir" || handler == "mdta" else { return blank(box) }
    let keys = handler == "mdta" ? try file.keys(in: range) : nil
    for child in try boxes(in: range, isFile: false) {
      switch child.name {
      case "hdlr", "keys": break
      case "ilst":
        for entry in try boxes(in: child.content, isFile: false) {
          let stays = keys.map { FilmTags.stays(entry.number, $0) } ?? FilmTags.names.contains(entry.name)
          if !stays { try blankIfFull(entry) }
        }
      default: try blankIfFull(child)
      }
    }
  }

  /// Blanks a box that is not blank.
  private mutating func blankIfFull(_ box: FilmBytes.Box) throws(Refusal) {
    if Self.empty.contains(box.name), try file.isZero(box.content) { return }
    blank(box)
  }

  private mutating func blank(_ box: FilmBytes.Box) { blanks.append(Blank(name: box.nameOffset, content: box.content)) }

  private mutating func boxes(in range: Range<Int>, isFile: Bool) throws(Refusal) -> [FilmBytes.Box] {
    let (boxes, end) = try file.boxes(in: range, isFile: isFile)
    count += boxes.count
    guard count <= Self.mostBoxes else { throw Refusal("it has too many boxes") }
    if isFile { self.end = end }
    return boxes
  }
}

/// The tags of a film that stay: who made it and with what, and what they say of it.
enum FilmTags {
  /// Those of iTunes.
  static let names: Set<String> = [
    "©nam", "©ART", "©alb", "©day", "©cmt", "©too", "aART", "cprt", "desc", "ldes", "trkn",
  ]
  /// Those of QuickTime and of ffmpeg.
  private static let keys: Set<String> = Set(
    [
      "title", "artist", "author", "copyright", "description", "keywords", "creationdate", "make", "model", "software",
      "comment",
    ].flatMap { [$0, "com.apple.quicktime.\($0)"] } + ["encoder", "creation_time", "date", "com.android.version"])

  /// Whether an entry stays.
  ///
  /// - Parameters:
  ///   - number: The number of its key, from 1 on.
  ///   - keys: The names of the keys.
  static func stays(_ number: Int, _ keys: [String]) -> Bool {
    keys.indices.contains(number - 1) && Self.keys.contains(keys[number - 1])
  }
}
