import Web

/// Which list a page is about.
enum ListText {
  /// ` of #cats`, with a link to the list; nothing for all posts.
  ///
  /// - Parameter all: The address of the same page of all posts.
  static func html(of list: ListAddress, all: HTML = "/calendar") -> HTML {
    let names = list.tags.map { "#\($0)" } + [list.user, list.feed, list.search.map { "“\($0)”" }].compactMap(\.self)
    guard !names.isEmpty || list.isTrash else { return "" }
    let text = names.joined(separator: ", ") + (list.isTrash ? names.isEmpty ? "deleted" : ", deleted" : "")
    return " of <a href=\"/?\(list.query)\"><bdi>\(text)</bdi></a> · <a href=\"\(all)\">all posts</a>"
  }
}

extension ListAddress {
  /// The parameters by name, for hidden fields of a form.
  var pairs: [(String, String)] {
    query.split(separator: "&").map { pair in
      let name = String(pair.prefix { $0 != "=" })
      return (name, Fields(form: String(pair))[name] ?? "")
    }
  }
}
