/// A post as people see it on a page.
struct PostCard {
  let wire: Wire

  func html(_ post: DemoPost) -> String {
    let shown = wire.world.original(of: post)
    let boost = post.boosts == nil ? "" : "<p class=\"soft\">🔁 \(post.person.name.htmlEscaped) boosted</p>"
    let warning = shown.warning.isEmpty ? "" : "<p><strong>⚠️ \(shown.warning.htmlEscaped)</strong></p>"
    let edited = shown.editedAt == nil ? "" : " · edited"
    return """
      <article class="card">\(boost)\(head(shown.person))\(warning)
      <div lang="\(shown.person.language)" dir="auto">\(emojified(shown.caption.html(origin: wire.origin)))</div>
      <div class="pictures">\(shown.pictures.map(picture).joined())</div>
      <p class="soft"><a href="\(PostCard.page(of: shown))">\(shown.createdAt.wire.prefix(16)) UTC</a>\(edited)</p></article>
      """
  }

  func head(_ person: Person) -> String {
    """
    <a class="who" href="/@\(person.acct)"><img src="/avatars/\(person.id).png" width="48" height="48" alt="">
    <span><strong>\(emojified(person.name.htmlEscaped))</strong><br><span class="soft">@\(person.acct)</span></span></a>
    """
  }

  /// Where a post has its page on this server, also when its author lives elsewhere.
  static func page(of post: DemoPost) -> String { "/@\(post.person.acct)/\(post.id)" }

  private func picture(_ picture: DemoPicture) -> String {
    """
    <a href="\(picture.url(""))"><img src="\(picture.url("", preview: true))" alt="\((picture.alt ?? "").htmlEscaped)" \
    width="\(picture.art.previewSize.width)" height="\(picture.art.previewSize.height)" loading="lazy"></a>
    """
  }

  private func emojified(_ html: String) -> String {
    html.replacingOccurrences(
      of: ":\(Emoji.shortcode):",
      with: "<img src=\"/emoji/\(Emoji.shortcode).png\" alt=\":\(Emoji.shortcode):\" width=\"20\" height=\"20\">"
    )
  }
}
