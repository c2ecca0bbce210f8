import MediaLibrary

/// Shows the newest posts of a tag.
struct Birdwatch {
  let library: Library

  init(folder: String) throws {
    library = try Library(in: folder)
  }
}
