import FoundationEssentials
import Markup
import Posts

// Converts photos to the values that all sources share. Every value is untrusted and bounded.

extension FlickrPhoto {
  /// The photo as an item of a page.
  func pageItem(on server: Server, raw: [UInt8]) -> PageItem {
    guard let id, let account = owner.id, let postedAt else {
      let reason = id == nil ? "it has no id" : postedAt == nil ? "it has no usable date" : "it names no owner"
      return PageItem(id: id, content: .unreadable(reason: reason), raw: raw)
    }
    let site = server.flickrSite
    let post = Post(
      source: .flickr, uri: "\(site)/photos/\(account)/\(id)", url: "\(site)/photos/\(owner.path ?? account)/\(id)",
      server: server, remoteID: id, author: owner.author(account, on: server), createdAt: postedAt,
      title: Bounds.line(title), caption: caption, sensitive: isSensitive, visibility: visibility,
      license: license, tags: tagNames,
      attachments: file.map { [$0.attachment] } ?? [], listsAttachments: file != nil)
    return PageItem(id: id, content: .post(post), raw: raw)
  }

  /// The description, which is HTML whose line breaks count.
  private var caption: String {
    guard let description, !description.isEmpty else { return "" }
    let lines = Bounds.verbatim(description, bytes: Bounds.caption).split(
      separator: "\n", omittingEmptySubsequences: false)
    return Bounds.block(Caption.plainText(html: lines.joined(separator: "<br>")), bytes: Bounds.caption) ?? ""
  }

  /// Flickr writes tags without spaces and punctuation.
  private var tagNames: [String] {
    var seen: Set<String> = []
    return tags.compactMap { Bounds.line($0).map(Feed.tagName) }.filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}

extension FlickrOwner {
  /// The alias, if it can be a part of an address.
  var path: String? {
    Bounds.word(alias, bytes: 100).flatMap { word in
      word.utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      } ? word : nil
    }
  }

  func author(_ account: String, on server: Server) -> Author {
    let hasIcon = iconServer.map { FlickrPhoto.isNumber($0) && $0 != "0" } ?? false
    let farm = iconFarm.flatMap { FlickrPhoto.isNumber($0) ? $0 : nil }
    return Author(
      uri: "\(server.flickrSite)/people/\(account)", handle: "\(path ?? account)@\(server.host)",
      name: Bounds.line(name) ?? path ?? account, url: "\(server.flickrSite)/photos/\(path ?? account)",
      avatarURL: hasIcon ? server.flickrIcon(of: account, server: iconServer ?? "", farm: farm ?? "1") : nil,
      isNamed: Bounds.line(name) != nil)
  }
}
