// swift-tools-version: 6.2
import PackageDescription

// Separate from the library's own package, so that only those who measure build it. Scripts/bench library,
// Scripts/bench sources and Scripts/bench thumbs run it.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "media", path: "..")],
  targets: [
    .executableTarget(
      name: "LibraryBench",
      dependencies: [.product(name: "MediaLibrary", package: "media")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "SourceBench",
      dependencies: [.product(name: "Services", package: "media")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "ThumbBench",
      dependencies: [.product(name: "Derivatives", package: "media")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
