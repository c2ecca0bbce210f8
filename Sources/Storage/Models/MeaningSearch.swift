import Blobs
import FoundationEssentials
import Rows

/// A post with how alike it is to what was asked for.
public struct AlikePost: Sendable, Equatable {
  /// The post's number.
  public let post: Int64
  /// From -1 to 1: 1 for the same.
  public let score: Double
}

/// What a model's embeddings are of.
public enum EmbeddedPart: Sendable {
  /// The pictures of posts.
  case pictures
  /// Their texts.
  case texts
}

extension Store {
  /// The posts of a list that mean most nearly the same as an embedding, the nearest first.
  ///
  /// All embeddings of the model are read, in blocks: of each its score is kept, in sixteen bytes.
  ///
  /// - Parameters:
  ///   - wanted: What is asked for.
  ///   - model: The number of the model that made it.
  ///   - part: What is compared with it.
  ///   - list: The posts.
  ///   - limit: The maximum number of posts.
  /// - Throws: `StorageError` if the library cannot be read.
  public func posts(
    alike wanted: Embedding, by model: Int64, in part: EmbeddedPart, of list: PostListQuery, atMost limit: Int
  ) throws(StorageError) -> [AlikePost] {
    var scan = try read { try MeaningScan(of: wanted, by: model, in: part, $0) }
    var (found, known): ([AlikePost], Set<Int64>) = ([], [])
    while found.count < limit {
      let best = scan.next()
      if best.isEmpty { break }
      let posts = part == .texts ? best.map { [$0.owner] } : try posts(showing: best.map(\.owner))
      let members = try members(of: list, among: Set(posts.joined()), byAuthors: [])
      for (one, posts) in zip(best, posts) {
        for post in posts where members.contains(post) && known.insert(post).inserted && found.count < limit {
          found.append(AlikePost(post: post, score: Double(one.score)))
        }
      }
    }
    return found
  }

  /// The embedding of a post's first picture that has one.
  ///
  /// - Parameters:
  ///   - post: The post's number.
  ///   - model: The number of the model.
  /// - Throws: `StorageError` if the library cannot be read.
  public func embedding(ofPost post: Int64, by model: Int64) throws(StorageError) -> Embedding? {
    try read { db in
      try db.row(
        """
        SELECT v.scale, v.vector FROM attachment a JOIN picture_vector v ON v.blob = a.blob AND v.model = $2
        WHERE a.post = $1 ORDER BY a.position LIMIT 1
        """, [post, model]
      ) { Embedding(scale: try $0["scale"], bytes: try $0["vector"]) } ?? nil
    }
  }

  /// The posts that show each of some files, the earliest first.
  private func posts(showing files: [Int64]) throws(StorageError) -> [[Int64]] {
    try read { db in
      var posts: [Int64: [Int64]] = [:]
      try db.rows(
        """
        SELECT DISTINCT a.blob, a.post FROM \(db.each)($1) j \(db.crossJoin) attachment a ON a.blob = j.value ORDER BY a.post
        """, [files.jsonList]
      ) { posts[try $0["blob"], default: []].append(try $0["post"]) }
      return files.map { posts[$0] ?? [] }
    }
  }
}

/// The scores of all embeddings of a model, handed out from the highest on.
private struct MeaningScan {
  struct Scored {
    let owner: Int64
    let score: Float
  }

  private var scored: [Scored] = []
  /// How many were handed out. They stand at the beginning, in order.
  private var count = 0
  /// How many at the beginning are in order.
  private var sorted = 0

  /// So many rows are read at once.
  private static let block = 4096
  /// At least so many are found first, without sorting the others, and then so many are handed out at once.
  private static let (batch, more) = (200, 5000)

  init(of wanted: Embedding, by model: Int64, in part: EmbeddedPart, _ db: Database) throws {
    let probe = wanted.probe
    let (table, owner) = part == .texts ? ("text_vector", "post") : ("picture_vector", "blob")
    var last: Int64 = .min
    while true {
      var rows = 0
      try db.rows(
        """
        SELECT \(owner) AS owner, scale, vector FROM \(table) WHERE \(owner) > $1 AND model = $2 AND vector IS NOT NULL
        ORDER BY \(owner) LIMIT \(Self.block)
        """, [last, model]
      ) { row in
        rows += 1
        last = try row["owner"]
        let (scale, bytes): (Double, [UInt8]) = (try row["scale"], try row["vector"])
        // A damaged row is passed over.
        guard let score = bytes.withUnsafeBytes({ probe.similarity(scale: scale, bytes: $0) }), score.isFinite else {
          return
        }
        scored.append(Scored(owner: last, score: Float(min(2, max(-2, score)))))
      }
      if rows < Self.block { return }
    }
  }

  /// The next ones; none at the end.
  mutating func next() -> ArraySlice<Scored> {
    if count == sorted, sorted < scored.count {
      let threshold = sorted == 0 && scored.count > 8 * Self.batch ? Self.threshold(scored) : -.infinity
      let end = scored[sorted...].partition { $0.score < threshold }
      scored[sorted..<end].sort { ($1.score, $0.owner) < ($0.score, $1.owner) }
      sorted = end
    }
    let begin = count
    count = min(sorted, begin + Self.more)
    return scored[begin..<count]
  }

  /// A score that at least a batch reaches, and few more.
  private static func threshold(_ scored: [Scored]) -> Float {
    // Scores lie between -1 and 1, but for rounding.
    func bin(_ score: Float) -> Int { min(8191, max(0, Int((score + 1) * 4096))) }
    var counts = [Int](repeating: 0, count: 8192)
    for one in scored { counts[bin(one.score)] += 1 }
    var (bin, sum) = (8191, counts[8191])
    while bin > 0, sum < batch {
      bin -= 1
      sum += counts[bin]
    }
    // A little less, as sums are rounded.
    return bin == 0 ? -.infinity : Float(bin) / 4096 - 1.0001
  }
}
