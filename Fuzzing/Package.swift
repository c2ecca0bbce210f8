// swift-tools-version: 6.2
import PackageDescription

// Separate from the library's package, because all of it is built for the fuzzer. Scripts/fuzz runs it.
let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]

let package = Package(
  name: "fuzzing",
  dependencies: [
    .package(name: "media", path: "..")
  ],
  targets: [
    .target(name: "CLibFuzzer"),
    // The settings reader is part of the command, which cannot be imported, so its files are linked in here.
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer", .product(name: "FuzzTargets", package: "media"),
      ],
      swiftSettings: settings,
      // Debian's gold fails on the sanitizer's debugging information.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
  ],
  swiftLanguageModes: [.v6]
)
