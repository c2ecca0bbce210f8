import HTTPTypes
import Hummingbird

/// What is known about a request besides the request.
struct GalleryContext: RequestContext {
  var coreContext: CoreRequestContextStorage

  init(source: Source) { coreContext = .init(source: source) }
}
