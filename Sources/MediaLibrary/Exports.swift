// Whoever imports MediaLibrary has what its calls take and give: posts and pages, the store, pictures' files, and lists
// that tell what changes.

@_exported import Blobs
@_exported import FetchedResults
@_exported import Posts
@_exported import Storage
