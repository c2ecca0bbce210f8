import Blobs
import FoundationEssentials
import JSONReading
import Posts

/// The protocol of a program that a person chose to look at pictures with a model: lines of JSON on its standard input and
/// output, one answer for each request. docs/guide/models.md tells it to those who write one.
///
/// The program is the person's own, what it writes is not: everything has its bounds, and is checked.
enum ModelProtocol {
  /// The version of the protocol.
  static let version = 1
  /// A longer line is no answer.
  static let longestLine = 1 << 20
  /// What of a text a model is asked about, in bytes.
  static let longestText = 4000
  private static let (mostTags, longestTag, longestCaption, longestName) = (64, 64, 2000, 100)

  /// What a program can be asked for.
  enum Want: String, Codable, Sendable, CaseIterable {
    /// What a picture means.
    case embed
    /// What a text means.
    case textEmbed = "text-embed"
    /// Tags of a picture.
    case tags
    /// A picture in words.
    case caption
    /// Whether not everybody wants to see a picture.
    case sensitive
  }

  /// A request.
  struct Request: Encodable, Sendable {
    /// The number that identifies the answer.
    var id: Int
    /// The path of a picture.
    var file: String?
    /// A text.
    var text: String?
    /// What is asked.
    var want: [Want]
  }

  /// Why a line is no answer. The text ends a sentence.
  struct Fault: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// What a program says of itself when it is ready.
  struct Greeting: Sendable, Equatable {
    /// The model.
    let model: ModelName
    /// What it can be asked for.
    let gives: Set<Want>

    /// Reads the first line.
    init(_ line: [UInt8]) throws(Fault) {
      guard let fields = JSONObject(line), let version = fields.integer("media") else {
        throw Fault("its first line is no greeting")
      }
      guard version == ModelProtocol.version else { throw Fault("it speaks version \(version) of the protocol") }
      gives = Set(fields.list("gives", most: 16).compactMap { $0.string.flatMap(Want.init) })
      guard !gives.isEmpty else { throw Fault("it gives nothing that is known") }
      let name = ModelProtocol.cleaned(fields.string("model") ?? "")
      let parts = name.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), name.utf8.count <= ModelProtocol.longestName else {
        throw Fault("it does not name its model as NAME@HASH")
      }
      let isEmbedding = !gives.isDisjoint(with: [.embed, .textEmbed])
      let dimensions = isEmbedding ? fields.integer("dimensions") ?? 0 : 0
      guard !isEmbedding || (1...Embedding.mostDimensions).contains(dimensions) else {
        throw Fault("it does not say how many dimensions its embeddings have, from 1 to \(Embedding.mostDimensions)")
      }
      model = ModelName(name, dimensions: dimensions)
    }
  }

  /// What a program found.
  enum Answer: Sendable, Equatable {
    case found(ModelFindings)
    /// It cannot read the picture. The reason ends a sentence.
    case failed(String)
  }

  /// Reads the answer to a request.
  static func answer(_ line: [UInt8], to request: Request, of model: ModelName) throws(Fault) -> Answer {
    guard let fields = JSONObject(line) else { throw Fault("it sent a line that is no JSON object") }
    guard fields.integer("id") == request.id else { throw Fault("it answered a question that nobody asked") }
    if let error = fields.value("error"), !error.isNull {
      return .failed(cleaned(error.string ?? "it does not say why"))
    }
    var found = ModelFindings()
    if !Set(request.want).isDisjoint(with: [.embed, .textEmbed]) {
      found.embedding = try embedding(fields.string("embed"), model.dimensions)
    }
    if request.want.contains(.tags) { found.tags = try tags(fields) }
    if request.want.contains(.caption), let text = fields.string("caption") {
      guard text.utf8.count <= longestCaption else { throw Fault("it sent a caption of \(text.utf8.count) bytes") }
      let clean = cleaned(text)
      found.caption = clean.isEmpty ? nil : clean
    }
    if request.want.contains(.sensitive), let value = fields.value("sensitive"), !value.isNull {
      found.sensitive = try score(value, of: "sensitive")
    }
    return .found(found)
  }

  /// Half floats (IEEE 754 binary16), the lowest byte first, in base64 (RFC 4648, 4).
  private static func embedding(_ text: String?, _ dimensions: Int) throws(Fault) -> Embedding {
    guard let text, let data = Data(base64Encoded: text) else { throw Fault("it sent no embedding in base64") }
    guard data.count == 2 * dimensions else {
      throw Fault("it sent an embedding of \(data.count) bytes in place of \(2 * dimensions)")
    }
    let bytes = Array(data)
    let numbers = stride(from: 0, to: bytes.count, by: 2).map { index in
      Float(Float16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
    }
    guard let embedding = Embedding(numbers) else { throw Fault("it sent an embedding that points nowhere") }
    return embedding
  }

  private static func tags(_ fields: JSONObject) throws(Fault) -> [MachineTag] {
    let pairs = fields.list("tags", most: mostTags + 1)
    guard pairs.count <= mostTags else { throw Fault("it sent more than \(mostTags) tags") }
    var tags: [String: Double] = [:]
    for pair in pairs {
      guard let pair = pair.elements(most: 3), pair.count == 2, let text = pair[0].string else {
        throw Fault("it sent a tag that is no pair of a text and a score")
      }
      let name = cleaned(text).lowercased().composed
      guard !name.isEmpty, name.count <= longestTag, name.utf8.count <= 4 * longestTag else {
        throw Fault("it sent a tag of \(name.count) characters")
      }
      tags[name] = max(tags[name] ?? 0, try score(pair[1], of: "a tag"))
    }
    return tags.map { MachineTag($0, score: $1) }.sorted { ($1.score, $0.name) < ($0.score, $1.name) }
  }

  private static func score(_ value: JSONValue, of what: String) throws(Fault) -> Double {
    guard let score = value.number, (0...1).contains(score) else {
      throw Fault("it sent a score of \(what) that is not from 0 to 1")
    }
    return score
  }

  /// A text on one line, without what steers a terminal or hides a part of it.
  private static func cleaned(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: " "
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
  }
}
