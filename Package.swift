// swift-tools-version: 6.2
import PackageDescription

// A target imports only floors below its own; Scripts/check floors holds the tree to this table.
//
//   5  Installed  media-refresh  media-refresh-delegate
//   4  MediaHarvest  media  media-picture  media-demo  media-serve  media-watch  media-watch-delegate
//   3  Harvest  Browse  DemoServer  Gallery  Transfer
//   2  Services  MediaLibrary  Derivatives  FeedDocuments  PostFiles  Copies  LibraryMetrics  Wording
//   1  Login  Storage  S3Blobs  FetchedResults  Pictures  Web
//   0  Posts  Serving  HTTP  Markup  JSONReading  Blobs  Terminal  Migrations  SQLite  PostgreSQL  Coverage
//      Filters
//  -1  Rows  Machine  Gazetteer
//  -2  CCurl  CCrypto  CZlib  CZstd  CPicture  CWidth  CStatfs  CChafa  CXML  CSQLite  CMalloc  CSync  CGNU  CWebP
//      CVideo  CExiv2  CTesseract  CPostgreSQL  CArchive  CTowns

let strict = Context.environment["MEDIA_STRICT"] != nil
let settings: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny")] + (strict ? [.treatAllWarnings(as: .error)] : [])

// The fuzzer stands in a package of its own and needs a door to what it fuzzes; nobody else does.
let fuzzing = Context.environment["MEDIA_FUZZ"] != nil

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let webSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let hummingbirdTLS = Target.Dependency.product(name: "HummingbirdTLS", package: "hummingbird")

func shim(_ name: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(name: name, path: "Sources/CShims/\(name)", pkgConfig: pkgConfig)
}

func floor(
  _ name: String, _ uses: [Target.Dependency] = [], path: String? = nil, exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: uses, path: path, exclude: exclude, resources: resources, swiftSettings: settings)
}

func tests(_ name: String, _ uses: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + uses, resources: resources, swiftSettings: settings)
}

/// The code of the tutorial in `MediaLibrary.docc`, a target for each step, so that every step compiles.
let tutorial = (1...5).map { step in
  Target.target(
    name: "TutorialStep\(step)", dependencies: ["MediaLibrary"],
    path: "Sources/MediaLibrary/MediaLibrary.docc/Steps/\(step)", swiftSettings: settings)
}

let package = Package(
  name: "media",
  products: [
    .executable(name: "media", targets: ["media"]),
    .executable(name: "media-picture", targets: ["media-picture"]),
    // Not media-demo and media-serve: whoever depends on a product of this package then resolves no web server.
    .executable(name: "media-watch", targets: ["media-watch"]),
    .executable(name: "media-watch-delegate", targets: ["media-watch-delegate"]),
    .executable(name: "media-refresh", targets: ["media-refresh"]),
    .executable(name: "media-refresh-delegate", targets: ["media-refresh-delegate"]),
    .library(name: "MediaLibrary", targets: ["MediaLibrary"]),
    .library(name: "MediaHarvest", targets: ["MediaHarvest"]),
    .library(name: "Derivatives", targets: ["Derivatives", "Blobs"]),
    .library(name: "Services", targets: ["Services", "HTTP", "Posts"]),
  ] + (fuzzing ? [.library(name: "FuzzTargets", targets: ["FuzzTargets"])] : []),
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    // In the version that Hummingbird chooses. Only the demo names a product of it.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    shim("CCurl"), shim("CCrypto"), shim("CZlib"), shim("CZstd"), shim("CPicture"), shim("CWidth"), shim("CStatfs"),
    shim("CXML"),
    shim("CSQLite"), shim("CMalloc"), shim("CSync"), shim("CGNU"), shim("CWebP"), shim("CVideo"), shim("CExiv2"),
    shim("CTesseract"), shim("CPostgreSQL"), shim("CArchive"), shim("CTowns"),
    shim("CChafa", pkgConfig: "chafa"),

    floor("Rows"),
    floor("Gazetteer", ["CTowns"]),
    floor("Machine", ["CGNU"], resources: [.embedInCode("Libraries/Table")]),

    floor("Posts", ["Machine"]),
    floor("Serving", [arguments]),
    floor("HTTP", ["Machine", "CCurl", "CCrypto", "CGNU"]),
    floor("Markup"),
    floor("JSONReading"),
    floor("Blobs", ["Machine", "CCrypto", "CSync"]),
    floor("Terminal", ["CWidth"]),
    floor("SQLite", ["Rows", "Machine", "CSQLite"]),
    floor("PostgreSQL", ["Rows", "Machine", "CPostgreSQL"]),
    floor("Coverage"),
    floor("Filters", ["Gazetteer"]),
    floor("Migrations", path: "Migrations", resources: [.embedInCode("schema"), .embedInCode("postgresql")]),

    floor("Login", ["Posts", "Machine", "HTTP", "JSONReading"]),
    floor(
      "Storage",
      [
        "Posts", "Machine", "Gazetteer", "Blobs", "Coverage", "Filters", "Migrations", "Rows", "SQLite", "PostgreSQL",
        "CZstd",
        "CStatfs",
        "CSQLite",
      ]),
    floor("S3Blobs", ["Blobs", "HTTP", "Posts", "Machine"]),
    floor("FetchedResults"),
    floor("Pictures", ["Posts", "Machine", "Blobs", "Terminal"]),
    floor("Web", ["Posts", "Machine"]),

    floor(
      "Services", ["Posts", "Machine", "HTTP", "Markup", "JSONReading", "Login", "CXML"],
      exclude: [
        "Mastodon/README.md", "Bluesky/README.md", "Misskey/README.md", "Instagram/README.md",
        "Instagram/Graph/README.md",
        "X/README.md", "Tumblr/README.md",
        "Flickr/README.md",
        "Lemmy/README.md",
        "Feeds/README.md",
      ]),
    floor("Derivatives", ["Posts", "Blobs", "JSONReading", "Machine", "Pictures", "Terminal"]),
    floor("MediaLibrary", ["Posts", "Blobs", "Filters", "Machine", "Storage", "FetchedResults"]),
    floor("FeedDocuments", ["Posts", "Machine", "Storage", "Web"]),
    floor("PostFiles", ["Posts", "Machine", "Blobs", "Storage", "CZlib"]),
    floor("Copies", ["Posts", "Machine", "Login", "Storage"]),
    floor("LibraryMetrics", ["Posts", "Storage"]),
    floor("Wording", ["Posts", "Blobs", "Machine", "Gazetteer", "Storage"]),

    floor("Harvest", ["Posts", "HTTP", "Blobs", "Machine", "Storage", "Services", "CZlib"]),
    floor("Browse", ["Posts", "Machine", "MediaLibrary", "Terminal", "Pictures", "Wording"]),
    floor("DemoServer", ["Posts", "Machine", "Web", "CPicture", "CCrypto", hummingbird, webSocket]),
    floor(
      "Gallery",
      [
        "Posts", "Blobs", "Machine", "Gazetteer", "Login", "Storage", "FetchedResults", "MediaLibrary", "Derivatives",
        "FeedDocuments", "PostFiles", "Copies", "LibraryMetrics", "Web", "Wording", "CZstd",
        hummingbird, hummingbirdTLS,
      ],
      resources: [.embedInCode("Assets/files")]),

    floor(
      "Transfer",
      [
        "Posts", "HTTP", "Markup", "JSONReading", "Blobs", "Machine", "Storage", "Services", "FeedDocuments",
        "PostFiles",
        "SQLite", "Web", "CArchive", "CCrypto", "CSync", "S3Blobs",
      ]),

    floor(
      "MediaHarvest", ["Posts", "Machine", "HTTP", "Blobs", "Login", "Storage", "Services", "MediaLibrary", "Harvest"]),

    .executableTarget(
      name: "media",
      dependencies: [
        "Posts", "HTTP", "Blobs", "Machine", "Terminal", "Login", "Storage", "Services", "MediaLibrary", "Harvest",
        "Browse", "Pictures", "Derivatives", "FeedDocuments", "PostFiles", "Copies", "S3Blobs", "Serving", "Transfer",
        "Web", "LibraryMetrics", "Filters", "Migrations", "Wording", "CMalloc", "CSQLite", arguments,
      ],
      resources: [.embedInCode("Scheduling/Units")], swiftSettings: settings),

    .executableTarget(name: "media-demo", dependencies: ["DemoServer"], swiftSettings: settings),

    .executableTarget(
      name: "media-serve",
      dependencies: [
        "Browse", "Derivatives", "Gallery", "HTTP", "Login", "Pictures", "MediaLibrary", "Posts", "S3Blobs", "Serving",
        "Machine",
        "Terminal", arguments,
      ],
      swiftSettings: settings),

    .executableTarget(
      name: "media-picture",
      dependencies: [
        "Posts", "Blobs", "Pictures", "Machine", "Terminal", "CChafa", "CWebP", "CVideo", "CExiv2", "CTesseract",
        "CZlib",
      ],
      swiftSettings: settings),

    // What Scripts/build builds. One product after the other would leave a core idle at the end of each.
    floor("Installed", ["media", "media-picture", "media-demo", "media-serve"]),

    .executableTarget(
      name: "media-watch", dependencies: ["MediaLibrary"], path: "Examples/Watch", swiftSettings: settings),
    .executableTarget(
      name: "media-watch-delegate", dependencies: ["MediaLibrary"], path: "Examples/Delegate", swiftSettings: settings),

    .executableTarget(
      name: "media-refresh", dependencies: ["MediaHarvest"], path: "Examples/Refresh", swiftSettings: settings),
    .executableTarget(
      name: "media-refresh-delegate", dependencies: ["MediaHarvest"], path: "Examples/RefreshDelegate",
      swiftSettings: settings),

    .target(
      name: "ScriptedOrigin", dependencies: ["CCrypto", "DemoServer", "Folders", hummingbird],
      path: "Tests/Support/ScriptedOrigin",
      swiftSettings: settings),

    .executableTarget(
      name: "scripted-origin", dependencies: ["DemoServer", "ScriptedOrigin"], path: "Tests/Support/FaultsOrigin",
      swiftSettings: settings),

    .target(name: "PropertyTesting", path: "Tests/Support/PropertyTesting", swiftSettings: settings),

    .target(
      name: "StoreContracts",
      dependencies: ["Posts", "Machine", "Blobs", "Filters", "MemoryBlobs", "PropertyTesting", "Storage"],
      path: "Tests/Support/StoreContracts", swiftSettings: settings),

    .target(
      name: "MemoryBlobs", dependencies: ["Blobs"], path: "Tests/Support/MemoryBlobs", swiftSettings: settings),

    .target(
      name: "SQLRows", dependencies: ["Rows", "SQLite"], path: "Tests/Support/SQLRows", swiftSettings: settings),

    .target(
      name: "PostgreSQLServer", dependencies: ["Folders"], path: "Tests/Support/PostgreSQLServer",
      swiftSettings: settings),

    .target(
      name: "S3Server", dependencies: ["Blobs", "Folders", "S3Blobs", "HTTP"], path: "Tests/Support/S3Server",
      swiftSettings: settings),

    .target(
      name: "Folders", dependencies: ["Posts", "Machine"], path: "Tests/Support/Folders", swiftSettings: settings),

    .target(
      name: "FuzzTargets",
      dependencies: ["Folders", "Posts", "HTTP", "Markup", "Blobs", "Terminal", "Login", "Services"],
      path: "Tests/Support/FuzzTargets", swiftSettings: settings),

    tests("Posts", ["Machine", "Folders", "PropertyTesting"]),
    tests("HTTP", ["Folders", "ScriptedOrigin"]),
    tests("Markup", ["Folders", "PropertyTesting"]),
    tests("JSONReading", ["PropertyTesting"]),
    tests("Blobs", ["Folders", "MemoryBlobs", "PropertyTesting", "S3Blobs", "S3Server"]),
    tests("S3Blobs", ["Blobs", "Folders", "HTTP", "PropertyTesting", "S3Server", "Storage"]),
    tests("Machine", ["Folders", "PropertyTesting"]),
    tests("Terminal", ["PropertyTesting"]),
    tests("SQLite", ["CSQLite", "Folders", "Rows", "SQLRows"]),
    tests("PostgreSQL", ["Folders", "PostgreSQLServer", "Rows"]),
    tests("Coverage", ["PropertyTesting"]),
    tests("Filters", ["Gazetteer", "PropertyTesting"]),
    tests("Login", ["Folders"]),
    tests(
      "Storage",
      [
        "Machine",
        "Blobs", "CSQLite", "Folders", "MemoryBlobs", "Migrations", "Posts", "PostgreSQL", "PostgreSQLServer",
        "PropertyTesting", "Rows", "SQLite", "SQLRows", "StoreContracts",
      ],
      resources: [.copy("Fixtures")]),
    tests("FetchedResults", ["PropertyTesting"]),
    tests("Pictures", ["Folders", "Terminal", "media-picture", "CPicture", "PropertyTesting"]),
    tests(
      "Derivatives",
      ["Blobs", "CPicture", "Folders", "MemoryBlobs", "Pictures", "PropertyTesting", "media-picture"],
      resources: [.copy("Fixtures")]),
    tests(
      "MediaLibrary", ["Folders", "MemoryBlobs", "PropertyTesting"] + tutorial.map { .byName(name: $0.name) }),
    tests("Services", ["Machine", "Folders", "Login", "PropertyTesting"], resources: [.copy("Fixtures")]),
    tests("LibraryMetrics"),
    tests("Wording", ["Machine", "Posts", "Storage"]),
    tests("Browse", ["Machine", "MediaLibrary", "Pictures", "PropertyTesting", "Terminal"]),
    tests("Harvest", ["Machine", "Folders", "MemoryBlobs", "ScriptedOrigin", "PropertyTesting", "SQLRows"]),
    tests(
      "Transfer",
      [
        "Machine",
        "Blobs", "FeedDocuments", "Folders", "HTTP", "Markup", "MemoryBlobs", "PostFiles", "Posts", "PostgreSQLServer",
        "PropertyTesting", "S3Blobs", "S3Server", "Services", "Storage", "SQLRows",
      ]),
    tests("MediaHarvest", ["Folders", "ScriptedOrigin"]),
    tests("DemoServer", ["Web"]),
    tests(
      "Gallery",
      [
        "Machine", "Derivatives", "Folders", "Markup", "media-picture", "MediaLibrary", "Posts", "PropertyTesting",
        "Copies", "FeedDocuments", "Services", "Storage", "Web",
      ]),
    .testTarget(
      name: "FuzzTests", dependencies: ["media", "FuzzTargets", "PropertyTesting"], resources: [.copy("Corpora")],
      swiftSettings: settings),
    .testTarget(
      name: "JourneyTests",
      dependencies: [
        "media", "media-picture", "media-demo", "media-serve", "media-watch", "media-watch-delegate", "media-refresh",
        "media-refresh-delegate", "Folders", "Machine", "MemoryBlobs", "PostgreSQLServer", "S3Server", "ScriptedOrigin",
        "PropertyTesting", "SQLRows",
      ],
      swiftSettings: settings),
  ] + tutorial,
  swiftLanguageModes: [.v6]
)
