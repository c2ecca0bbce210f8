import Web

/// A post as people see it on a page.
struct PostCard {
  let wire: Wire

  func html(_ post: DemoPost) -> HTML {
    let shown = wire.world.original(of: post)
    let boost: HTML = post.boosts == nil ? "" : "<p class=\"soft\">🔁 \(post.person.name) boosted</p>"
    let warning: HTML = shown.warning.isEmpty ? "" : "<p><strong>⚠️ \(shown.warning)</strong></p>"
    let edited = shown.editedAt == nil ? "" : " · edited"
    return """
      <article class="card">\(boost)\(head(shown.person))\(warning)
      <div lang="\(shown.person.language)" dir="auto">\(emojified(shown.caption.html(origin: wire.origin)))</div>
      <div class="pictures">\(HTML.joined(shown.pictures.map(picture)))</div>
      <p class="soft"><a href="\(PostCard.page(of: shown))">\(shown.createdAt.wire.prefix(16)) UTC</a>\(edited)</p></article>
      """
  }

  func head(_ person: Person) -> HTML {
    """
    <a class="who" href="/@\(person.acct)"><img src="/avatars/\(person.id).png" width="48" height="48" alt="">
    <span><strong>\(emojified(HTML(person.name)))</strong><br><span class="soft">@\(person.acct)</span></span></a>
    """
  }

  /// The path of a post's page on this server, also for remote authors.
  static func page(of post: DemoPost) -> String { "/@\(post.person.acct)/\(post.id)" }

  private func picture(_ picture: DemoPicture) -> HTML {
    """
    <a href="\(picture.url(""))"><img src="\(picture.url("", preview: true))" alt="\(picture.alt ?? "")" \
    width="\(picture.art.previewSize.width)" height="\(picture.art.previewSize.height)" loading="lazy"></a>
    """
  }

  private func emojified(_ html: HTML) -> HTML {
    html.replacing(
      ":\(Emoji.shortcode):",
      with: "<img src=\"/emoji/\(Emoji.shortcode).png\" alt=\":\(Emoji.shortcode):\" width=\"20\" height=\"20\">"
    )
  }
}
