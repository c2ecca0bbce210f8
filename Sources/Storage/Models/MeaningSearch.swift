import Blobs
import Dispatch
import Rows
import Synchronization

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
  /// All embeddings of the model are compared with it. Where the server does so, the scores of the nearest come first, and all of
  /// them only if the list has too few of those.
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
    let comparison = try Comparison(with: wanted, by: model, in: part, self)
    let nearest = try comparison.nearest(MeaningScan.batch, self)
    var (scan, isWhole) = (MeaningScan(nearest), (1..<MeaningScan.batch).contains(nearest.count))
    var (found, known): ([AlikePost], Set<Int64>) = ([], [])
    while found.count < limit {
      let best = scan.next()
      if best.isEmpty {
        if isWhole { break }
        (scan, isWhole) = (MeaningScan(try comparison.all(self)), true)
        continue
      }
      let posts = part == .texts ? best.map { [$0.owner] } : try posts(showing: best.map(\.owner))
      let members = try members(of: list, among: Set(posts.joined()), byAuthors: [])
      for (one, posts) in zip(best, posts) {
        for post in posts where members.contains(post) && known.insert(post).inserted && found.count < limit {
          found.append(AlikePost(post: post, score: Double(one.score)))
        }
      }
    }
    // A nearer one may have been stored between two readings.
    return found.sorted { $0.score > $1.score }
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

/// How alike an embedding is to the wanted one.
private struct Scored {
  let owner: Int64
  let score: Float

  /// No score is that of a damaged row.
  init(_ owner: Int64, _ score: Double?) { (self.owner, self.score) = (owner, score.map(Float.init) ?? .nan) }

  /// Whether its row is passed over.
  var isDamaged: Bool { score.isNaN }
}

/// The embeddings that are compared with one.
private struct Comparison: Sendable {
  private let (wanted, probe): (Embedding, Embedding.Probe)
  private let model: Int64
  private let (table, owner): (String, String)
  /// Whether the server compares, so that no embedding travels.
  private let isByServer: Bool

  /// So many rows are read at once.
  private static let block = 4096
  /// Numbers this far apart are read by two threads. For nearer ones, opening another connection costs as much as it saves.
  private static let far = 20_000

  init(with wanted: Embedding, by model: Int64, in part: EmbeddedPart, _ store: Store) throws(StorageError) {
    (self.wanted, probe, self.model) = (wanted, wanted.probe, model)
    (table, owner) = part == .texts ? ("text_vector", "post") : ("picture_vector", "blob")
    isByServer = try store.read { try $0.comparesEmbeddings }
  }

  /// The nearest ones, the nearest first; none if it is not the server that compares.
  func nearest(_ count: Int, _ store: Store) throws(StorageError) -> [Scored] {
    guard isByServer else { return [] }
    let statement: Clause = "\(compared) ORDER BY score DESC NULLS LAST, owner LIMIT \(bind: count)"
    return try store.read { try $0.rows(statement, scored) }.filter { !$0.isDamaged }
  }

  /// All of them, in no order.
  func all(_ store: Store) throws(StorageError) -> [Scored] {
    let middle: Int64? = try store.read { db in
      try db.value(
        """
        SELECT least / 2 + greatest / 2 FROM (
          SELECT (SELECT min(\(owner)) FROM \(table)) AS least, (SELECT max(\(owner)) FROM \(table)) AS greatest) ends
        WHERE greatest - least > \(Self.far)
        """)
    }
    let parts: [Part] = middle.map { [(.min, $0), ($0, .max)] } ?? [(.min, .max)]
    let found = Mutex<(all: [Scored], failure: (any Error)?)>(([], nil))
    DispatchQueue.concurrentPerform(iterations: parts.count) { index in
      var rest = parts[index]
      let read = { db in
        try eachBlock(of: &rest, db) { block in found.withLock { $0.all += block.lazy.filter { !$0.isDamaged } } }
      }
      // A store that is opened for one command has one connection to read by, and opens another one for an audit.
      do { try index == 0 ? store.writer.read(read) : store.writer.audit(read) } catch {
        found.withLock { $0.failure = error }
      }
    }
    return try found.withLock { found throws(StorageError) in
      if let failure = found.failure { throw store.explained(failure) }
      return found.all
    }
  }

  private typealias Part = (after: Int64, through: Int64)

  /// Hands out the rows of a part. If the connection ends, another one goes on with what is left of it.
  private func eachBlock(of rest: inout Part, _ db: Database, _ body: ([Scored]) -> Void) throws {
    while true {
      let statement: Clause = """
        \(compared) AND \(owner) > \(bind: rest.after) AND \(owner) <= \(bind: rest.through)
        ORDER BY \(owner) LIMIT \(String(Self.block))
        """
      let block = try db.rows(statement, scored)
      body(block)
      rest.after = block.last?.owner ?? rest.after
      if block.count < Self.block { return }
    }
  }

  /// The rows of the model. A condition on what they hold would make the server's planner expect few of them.
  private var compared: Clause {
    let columns: Clause =
      isByServer
      ? """
      CASE WHEN length(vector) = \(bind: wanted.steps.count) AND scale > 0 AND scale <= 1
        THEN CAST(inner_product(direction, (SELECT direction(\(bind: wanted.bytes)))) * \(bind: wanted.scale) * scale AS real)
        END AS score
      """ : "scale, vector"
    return """
      SELECT \(owner) AS owner, \(columns) FROM \(table) WHERE model = \(bind: model) AND vector IS NOT NULL
      """
  }

  private func scored(_ row: Row) throws -> Scored {
    let owner: Int64 = try row["owner"]
    if isByServer { return Scored(owner, try row["score"]) }
    let (scale, bytes): (Double, [UInt8]) = (try row["scale"], try row["vector"])
    guard scale > 0, scale <= 1 else { return Scored(owner, nil) }
    return Scored(owner, bytes.withUnsafeBytes { probe.similarity(scale: scale, bytes: $0) })
  }
}

/// Scores that are handed out from the highest on.
private struct MeaningScan {
  private var scored: [Scored]
  /// How many were handed out. They stand at the beginning, in order.
  private var count = 0
  /// How many at the beginning are in order.
  private var sorted = 0

  /// At least so many are found first, without sorting the others, and then so many are handed out at once.
  static let (batch, more) = (200, 5000)

  init(_ scored: [Scored]) { self.scored = scored }

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
