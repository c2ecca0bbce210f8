import FoundationEssentials
import Hummingbird
import MediaLibrary
import Posts
import Storage
import Web
import Wording

import struct HTTP.PasswordHash
import struct HTTP.TokenHash
import func HTTP.base64URL
import func HTTP.randomBytes

/// The page that makes, lists and revokes shares. Where nothing may be changed, there is none: its list tells names of albums.
struct SharesRoutes: Sendable {
  let parts: GalleryParts
  let origin: FeedOrigin

  static let path = "/shares"
  static let revokePath = "/shares/revoke"

  func add(to router: Router<GalleryContext>) {
    router.get(RouterPath(Self.path)) { request, _ in
      let list = ListAddress(request.fields)
      let (filter, title) = try await parts.read { library in
        (try list.shared(), try FeedPage.title(of: list, in: library))
      }
      guard filter != .everything else { return try await page(ShareForm()) }
      // What was typed as a filter may tell what the person marked: it lends the page no title.
      let named = ShareDraft(of: filter, title: list.search == nil ? title : nil).title
      return try await page(ShareForm(filter: "\(filter)", title: named))
    }
    router.post(RouterPath(Self.path)) { request, context in
      var form = ShareForm(Fields(form: String(buffer: try await request.body.collect(upTo: 64 << 10))))
      let text: ShareText
      do {
        let draft = try form.draft(at: parts.now())
        if try await !make(draft, form.token) {
          form.renewToken()
          _ = try await make(draft, form.token)
        }
        text = try await parts.read { [hash = TokenHash(of: form.token).text] library in
          let share = try library.store.share(tokenHash: hash)
          let tally = try share.map { try library.store.tally(of: $0, draft.filter, now: library.now()) }
          return ShareText(posts: tally?.posts ?? 0, leftOut: tally?.leftOut ?? 0)
        }
      } catch let error as any ExplainedError where error.exitCode == .usage {
        return try await page(form, mistake: error.description)
      } catch let error as RequestError {
        return try await page(form, mistake: error.sentence)
      }
      let address = "\(origin.text(request, context))\(ShareRoutes.prefix)\(form.token)/"
      return try await page(ShareForm(), made: (address, text))
    }
    router.post(RouterPath(Self.revokePath)) { request, _ in
      let fields = Fields(form: String(buffer: try await request.body.collect(upTo: 1 << 10)))
      guard let id = fields["id"].flatMap({ Int64($0) }) else {
        throw RequestError.badParameter("id", must: "the number of a share")
      }
      _ = try await parts.read { try $0.store.revokeShares(id, now: $0.now()) }
      return Response(status: .seeOther, headers: [.location: Self.path])
    }
  }

  /// Makes a share. A page that is loaded again, or a button that is pressed twice, sends its form again: then it is made.
  ///
  /// - Returns: Whether the share of the token is that of the draft, and open.
  private func make(_ draft: ShareDraft, _ token: String) async throws -> Bool {
    try await parts.read { library in
      let (hash, now) = (TokenHash(of: token).text, library.now())
      func isMade() throws -> Bool? {
        try library.store.share(tokenHash: hash).map { $0.isOpen(at: now) && $0.isMade(of: draft) }
      }
      if let isMade = try isMade() { return isMade }
      do { _ = try library.store.makeShare(draft, tokenHash: hash, now: now) } catch let error as StorageError {
        guard let isMade = try isMade() else { throw error }
        return isMade
      }
      return true
    }
  }

  private func page(_ form: ShareForm, made: SharesPage.Made? = nil, mistake: String? = nil) async throws -> Response {
    guard !parts.isReadOnly else { throw RequestError.readOnly }
    let shares = try await parts.read { try $0.store.shares() }
    let page = SharesPage(form: form, shares: shares, now: parts.now(), made: made, mistake: mistake)
    return parts.page(page.html, status: mistake == nil ? .ok : .badRequest).withForm
  }
}

/// What the form for a share shows and sends.
struct ShareForm: Sendable {
  var filter = ""
  var title = ""
  private(set) var days = "30"
  private(set) var isLive = false
  private(set) var hasOriginals = false
  private(set) var shows: Set<SharedExtra> = []
  /// What the address of the share will have. Sent twice, it makes one share.
  private(set) var token = base64URL(randomBytes(16))
  private(set) var password = ""

  /// A form with nothing chosen.
  init(filter: String = "", title: String = "") { (self.filter, self.title) = (filter, title) }

  init(_ fields: Fields) {
    (filter, title, days) = (fields["q"] ?? "", fields["title"] ?? "", fields["days"] ?? "")
    (isLive, hasOriginals, password) = (fields.flag("live"), fields.flag("originals"), fields["password"] ?? "")
    shows = Set(fields.all("with").compactMap(SharedExtra.init(rawValue:)))
    // Anything else is no address that this program chose, and might be guessed.
    if let sent = fields["token"], sent.utf8.count == token.utf8.count, sent.utf8.allSatisfy(Self.isOfToken) {
      token = sent
    }
  }

  /// Chooses another address.
  mutating func renewToken() { token = base64URL(randomBytes(16)) }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    let letter = Character(Unicode.Scalar(byte))
    return letter.isASCII && (letter.isLetter || letter.isNumber || letter == "-" || letter == "_")
  }

  /// - Throws: `RequestError` for what cannot be.
  func draft(at now: Date) throws -> ShareDraft {
    let parsed: Filter
    do { parsed = try Filter(parsing: filter) } catch { throw RequestError.badFilter(error) }
    guard parsed != .everything else { throw RequestError.badParameter("q", must: "a filter, such as in:Winter") }
    var draft = ShareDraft(of: parsed, title: title)
    (draft.isLive, draft.hasOriginals, draft.shows) = (isLive, hasOriginals, shows)
    if days != "never" {
      guard let days = Int(days), (1...36_500).contains(days) else {
        throw RequestError.badParameter("days", must: "a number of days, or never")
      }
      draft.endsAt = now + TimeInterval(days) * 86_400
    }
    if !password.isEmpty {
      if let trouble = PasswordHash.trouble(with: password) { throw GalleryError.unfitPassword(trouble) }
      draft.passwordHash = PasswordHash(password, salt: randomBytes(16)).stored
    }
    return draft
  }
}

extension ListAddress {
  /// The list as one filter.
  ///
  /// - Throws: `RequestError` if it cannot be read.
  fileprivate func shared() throws(RequestError) -> Filter {
    func term(_ key: FilterKey, _ names: [String]) -> [Filter] {
      names.isEmpty ? [] : [.term(.init(key, names.map(FilterValue.word)))]
    }
    let days = day.flatMap { try? Filter(parsing: "on:\($0)") }.map { [$0] } ?? []
    let own = try filter().map { [$0] } ?? []
    return .conjunction(
      term(.tag, tags) + term(.by, user.map { [$0] } ?? []) + term(.feed, feed.map { [$0] } ?? []) + days + own)
  }
}
