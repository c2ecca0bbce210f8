import MediaLibrary
import Posts
import Services
import Storage
import Synchronization
import Terminal
import Wording

extension LibraryOpener {
  /// Finishes looking for who may see the posts of earlier versions, before a command tells it or relies on it. In a library
  /// that cannot be written, it stays unknown.
  func readVisibilities() throws {
    guard exists, try withStore(for: .reading, { try $0.awaitsVisibilities() }) else { return }
    do {
      try withStore { store in
        let line = LiveLine(console)
        defer { line.clear() }
        let steps = LateSteps.visibilities { progress in
          line.show(
            ProgressBar(title: "who may see posts", done: Int(progress.done), total: Int(progress.all), unit: "posts"))
        }
        while try steps.step(store, steps.size) {}
      }
    } catch let error as StorageError {
      switch error {
      case .readOnly, .full, .busy: return
      default: throw error
      }
    }
  }

  /// The same if a filter asks for it, itself or by saved searches.
  func readVisibilities(askedBy filter: PostFilter?) throws {
    guard exists, let filter = filter?.filter else { return }
    let isSaved = filter.terms.contains { $0.key == .saved }
    let asked = isSaved ? try withStore(for: .reading) { try $0.expanded(filter) } : filter
    if asked.asksVisibility { try readVisibilities() }
  }
}

extension LateSteps {
  /// Look in the answers that earlier versions stored for who may see their posts.
  ///
  /// - Parameter onStep: Receives how far it came.
  static func visibilities(onStep: @escaping @Sendable (VisibilityProgress) -> Void = { _ in }) -> LateSteps {
    LateSteps(size: 200, pause: .milliseconds(10)) { store, limit throws(StorageError) in
      let progress = try store.readVisibilities(atMost: limit) {
        Catalogue.visibility(of: $0.source, answer: $0.body, addresses: $0.addresses)
      }
      guard let progress else { return false }
      onStep(progress)
      return true
    }
  }
}

/// Leaves out of what is published what not everybody may see.
final class Publication: Sendable {
  private let includesPrivate: Bool
  private let counts = Mutex((leftOut: 0, unknown: 0, answers: 0))

  /// - Parameter includesPrivate: Whether such posts are published, too.
  init(includesPrivate: Bool) { self.includesPrivate = includesPrivate }

  /// Whether a post is published.
  func takes(_ post: StoredPost) -> Bool {
    if includesPrivate || post.visibility.isPublishable { return true }
    counts.withLock {
      $0.leftOut += 1
      $0.unknown += post.visibility == .pending ? 1 : 0
    }
    return false
  }

  /// A post's verbatim answer as it is published: none, if it quotes a post that not everybody may see.
  func answer(_ raw: [UInt8]?, of post: StoredPost) -> [UInt8]? {
    guard !includesPrivate, let raw, Catalogue.quotesPrivate(post.source, answer: raw) else { return raw }
    counts.withLock { $0.answers += 1 }
    return nil
  }

  /// Says how many were left out.
  func report(to console: Console) {
    let (leftOut, unknown, answers) = counts.withLock { $0 }
    if answers > 0 {
      let verbatim = NumberText.count(answers, "answer")
      console.message("media: left out \(verbatim) with quoted posts that not everybody may see; --private takes them")
    }
    guard leftOut > 0 else { return }
    let posts = NumberText.count(leftOut, "post")
    console.message("media: left out \(posts) that not everybody may see; --private takes them")
    if unknown > 0 {
      console.message(
        "media: of \(unknown) of them it is not known yet who may see them, because the library could not be written")
    }
  }
}
