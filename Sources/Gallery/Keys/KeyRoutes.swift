import Hummingbird

/// The keys, for scripts and for people.
struct KeyRoutes: Sendable {
  let parts: GalleryParts
  let keys: [KeyBinding]

  func add(to router: Router<GalleryContext>) {
    let keys = KeyBinding.ofGallery(keys, isReadOnly: parts.isReadOnly)
    router.get("/api/keys") { _, _ in Response(json: keys) }
    router.get("/help") { [parts] _, _ in parts.page(KeysPage(keys: keys).html) }
  }
}
