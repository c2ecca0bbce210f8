import FoundationEssentials
import Hummingbird
import MediaLibrary
import Posts
import Storage
import Web

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
      guard filter != .everything else { return try await page("", "") }
      // What was typed as a filter may tell what the person marked: it lends the page no title.
      return try await page("\(filter)", ShareDraft(of: filter, title: list.search == nil ? title : nil).title)
    }
    router.post(RouterPath(Self.path)) { request, context in
      let form = ShareForm(Fields(form: String(buffer: try await request.body.collect(upTo: 64 << 10))))
      let token = base64URL(randomBytes(16))
      do {
        let draft = try form.draft(at: parts.now())
        _ = try await parts.read { [hash = TokenHash(of: token).text] library in
          try library.store.makeShare(draft, tokenHash: hash, now: library.now())
        }
      } catch let error as any ExplainedError where error.exitCode == .usage {
        return try await page(form.filter, form.title, mistake: error.description)
      } catch let error as RequestError {
        return try await page(form.filter, form.title, mistake: error.sentence)
      }
      return try await page("", "", made: "\(origin.text(request, context))\(ShareRoutes.prefix)\(token)/")
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

  private func page(
    _ filter: String, _ title: String, made: String? = nil, mistake: String? = nil
  ) async throws -> Response {
    guard !parts.isReadOnly else { throw RequestError.readOnly }
    let shares = try await parts.read { try $0.store.shares() }
    let page = SharesPage(
      filter: filter, title: title, shares: shares, now: parts.now(), made: made, mistake: mistake)
    return parts.page(page.html, status: mistake == nil ? .ok : .badRequest).withForm
  }
}

/// What the form for a share sends.
private struct ShareForm: Sendable {
  let fields: Fields

  init(_ fields: Fields) { self.fields = fields }

  var filter: String { fields["q"] ?? "" }
  var title: String { fields["title"] ?? "" }

  /// - Throws: `RequestError` for what cannot be.
  func draft(at now: Date) throws -> ShareDraft {
    let parsed: Filter
    do { parsed = try Filter(parsing: filter) } catch { throw RequestError.badFilter(error) }
    guard parsed != .everything else { throw RequestError.badParameter("q", must: "a filter, such as in:Winter") }
    var draft = ShareDraft(of: parsed, title: title)
    (draft.isLive, draft.hasOriginals) = (fields.flag("live"), fields.flag("originals"))
    draft.shows = Set(fields.all("with").compactMap(SharedExtra.init(rawValue:)))
    if fields["days"] != "never" {
      guard let days = fields["days"].flatMap({ Int($0) }), (1...36_500).contains(days) else {
        throw RequestError.badParameter("days", must: "a number of days, or never")
      }
      draft.endsAt = now + TimeInterval(days) * 86_400
    }
    if let password = fields["password"], !password.isEmpty {
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
