/// A model that looks at pictures.
public struct ModelName: Sendable, Hashable {
  /// Its name and the hash of its weights: `clip-vit-b32@0a1b2c3d`.
  public let text: String
  /// How many numbers its embeddings have; 0 if it makes none.
  public let dimensions: Int

  /// A name from its parts.
  public init(_ text: String, dimensions: Int) { (self.text, self.dimensions) = (text, dimensions) }
}

/// A tag that a model gave a picture. It is nobody's.
public struct MachineTag: Sendable, Hashable {
  /// The tag, in small letters.
  public let name: String
  /// How sure the model is, from 0 to 1.
  public let score: Double

  /// A tag from its parts.
  public init(_ name: String, score: Double) { (self.name, self.score) = (name, score) }
}

/// What a model found in a picture.
public struct ModelFindings: Sendable, Hashable {
  /// What it means; nil if the model does not say.
  public var embedding: Embedding?
  /// The tags, the surest first.
  public var tags: [MachineTag] = []
  /// What it shows, in words; nil if the model does not say.
  public var caption: String?
  /// How sure the model is that not everybody wants to see it, from 0 to 1; nil if the model does not say.
  public var sensitive: Double?

  /// Nothing.
  public init() {}

  /// From this score on, a picture counts as one that may be sensitive.
  public static let sensitiveScore = 0.5
}
