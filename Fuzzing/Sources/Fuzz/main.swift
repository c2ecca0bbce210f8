// `Fuzz TARGET [libFuzzer's arguments]`; without a target it lists them all.

import CLibFuzzer
import Dispatch
import Foundation
import FuzzTargets

let targets = FuzzTarget.all + [.settings]
guard let wanted = CommandLine.arguments.dropFirst().first, let target = targets.first(where: { $0.name == wanted })
else {
  print(targets.map(\.name).joined(separator: "\n"))
  exit(CommandLine.arguments.count > 1 ? 64 : 0)
}
FuzzedTarget.chosen = target
let own = [CommandLine.arguments[0], "-max_len=\(target.longest)"] + CommandLine.arguments.dropFirst(2)
var count = Int32(own.count)
var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(capacity: own.count + 1)
for (index, word) in own.enumerated() { words?[index] = strdup(word) }
words?[own.count] = nil
exit(LLVMFuzzerRunDriver(&count, &words) { FuzzedTarget.read($0, $1) })
