import JSONReading
import Posts

// What gallery-dl writes of a photo: https://github.com/mikf/gallery-dl, extractor/flickr.py. It is the API's answer with the tags
// as a list, and one file in place of the sizes.

extension DownloadReader {
  static let flickr = DownloadReader(
    recognizes: { $0.string("category") == "flickr" && $0.object("owner") != nil }
  ) { files, raw in
    guard let server = Server.flickr else {
      return PageItem(id: nil, content: .unreadable(reason: "no server"), raw: raw)
    }
    let fields = files[0]
    var photo = FlickrPhoto(fields)
    photo.tags = fields.list("tags", most: Bounds.tags).compactMap(\.string)
    photo.file = FlickrFile(
      kind: photo.isVideo ? .video : .image, url: Bounds.webAddress(fields.string("url")),
      width: fields.number("width"), height: fields.number("height"))
    return photo.pageItem(on: server, raw: raw)
  }
}
