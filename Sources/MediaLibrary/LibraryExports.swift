// Importing MediaLibrary imports the types of its interface: posts and pages, the store, the files of pictures, and lists
// that report changes.

@_exported import Blobs
@_exported import FetchedResults
@_exported import Filters
@_exported import Posts
@_exported import Storage
