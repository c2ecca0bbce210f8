import Hummingbird
import Machine
import MediaLibrary
import Web
import Wording

/// Hides posts, authors and tags from where one sees them, lists them, and shows them again. Where nothing may be changed there
/// is no such page: it tells what its owner does not want to see.
struct HidingRoutes: Sendable {
  let parts: GalleryParts

  static let path = "/hidden"
  private static let marker = Marker(machine: MachineName.current, program: .gallery)

  func add(to router: Router<GalleryContext>) {
    router.get(RouterPath(Self.path)) { _, _ in
      guard !parts.isReadOnly else { throw RequestError.readOnly }
      let page = try await parts.read { library in
        HiddenPage(
          names: try library.store.hiddenNames(),
          posts: try library.store.hiddenPosts(of: PostListQuery().listed(at: library.now())))
      }
      return parts.page(page.html).withForm
    }
    router.post(RouterPath(Self.path)) { request, _ in
      let fields = Fields(form: String(buffer: try await request.body.collect(upTo: Self.mostBytes)))
      let names = fields.all("by").map(HiddenName.author) + fields.all("tag").map(HiddenName.tag)
      _ = try await hide(fields.all("post").compactMap { Int64($0) }, names, !fields.flag("show"))
      return Response(status: .seeOther, headers: [.location: Self.path])
    }
    router.post("/api/hide") { request, _ in
      let fields = try await request.object([String: String].self, must: #"JSON such as {"tag":"cats"}"#)
      let names = [fields["by"].map(HiddenName.author), fields["tag"].map(HiddenName.tag)].compactMap(\.self)
      let posts = fields["post"].flatMap { Int64($0) }.map { [$0] } ?? []
      let marking = try await hide(posts, names, fields["show"] == nil)
      return Response(json: ["changes": marking.change.map { [$0] } ?? []])
    }
  }

  private static let mostBytes = 64 << 10

  private func hide(_ posts: [Int64], _ names: [HiddenName], _ isHidden: Bool) async throws -> Marking {
    guard !posts.isEmpty || !names.isEmpty else {
      throw RequestError.badParameter("post", must: "the number of a post, or give by or tag")
    }
    return try await parts.read { library in
      do {
        return try library.store.hide(posts, names, isHidden, by: Self.marker, now: library.now()).marking
      } catch let error as MarkError { throw RequestError.badMark(error) }
    }
  }
}

/// What is hidden.
struct HiddenPage {
  let names: [HiddenEntry]
  let posts: ListTotal

  var html: HTML {
    PageFrame.html(
      "Hidden", nil,
      """
      <main class="page"><h1>Hidden</h1>
      <p>Lists leave these posts out, and so does what is published. They stay stored, and new ones come in.</p>
      \(count)\(list)</main>
      """)
  }

  private var count: HTML {
    let link: HTML = "<a href=\"/?q=is:hidden\">Show them</a>"
    return switch posts {
    case .exactly(0): "<p class=\"soft\">No post is hidden.</p>"
    case .exactly(let count): "<p>\(NumberText.count(count, "post")) in all. \(link)</p>"
    case .moreThan(let count): "<p>More than \(NumberText.count(count, "post")) in all. \(link)</p>"
    }
  }

  private var list: HTML {
    guard !names.isEmpty else { return "" }
    return """
      <div class="card"><table><thead><tr><th scope="col">Author or tag</th><th scope="col">Posts</th>\
      <th scope="col"><span class="visually-hidden">Show again</span></th></tr></thead><tbody>\
      \(HTML.joined(names.map(row)))</tbody></table></div>
      """
  }

  private func row(_ entry: HiddenEntry) -> HTML {
    let name = entry.name.shown
    return """
      <tr><th scope="row"><bdi>\(name)</bdi></th><td class="number">\(NumberText.grouped(entry.posts))</td>\
      <td class="number">\(entry.name.form("Show again", label: "Show \(name) again", shows: true))</td></tr>
      """
  }
}

extension HiddenName {
  fileprivate var plain: String {
    switch self {
    case .author(let name), .tag(let name): name
    }
  }

  fileprivate var sign: String {
    switch self {
    case .author: "@"
    case .tag: "#"
    }
  }

  /// As people read it.
  var shown: String { sign + plain }

  /// A button that hides what has the name, or shows it again.
  func form(isHidden: Bool) -> HTML {
    isHidden ? form("Show \(shown) again", shows: true) : form("Hide \(shown)")
  }

  fileprivate func form(_ words: String, label: String? = nil, shows: Bool = false) -> HTML {
    let field =
      switch self {
      case .author: "by"
      case .tag: "tag"
      }
    return HidingForm.html(field, plain, words, label: label, shows: shows)
  }
}

/// A button that hides something or shows it again. It needs no script.
enum HidingForm {
  static func html(_ field: String, _ value: String, _ words: String, label: String? = nil, shows: Bool = false) -> HTML
  {
    let show: HTML = shows ? "<input type=\"hidden\" name=\"show\" value=\"1\">" : ""
    let name: HTML = label.map { " aria-label=\"\($0)\"" } ?? ""
    return """
      <form method="post" action="\(HidingRoutes.path)"><input type="hidden" name="\(field)" value="\(value)">\(show)\
      <button\(name)><bdi>\(words)</bdi></button></form>
      """
  }
}
