import Foundation
import PropertyTesting
import Testing

@testable import Browse

/// The selection under random changes.
struct SelectionTests {
  @Test func `the selection stays on its post, or on the nearest that stays, and on the screen`() {
    for seed in PropertyTest.seeds(sample: 150, whole: 10_000) {
      var dice = Dice(state: seed)
      let metrics = Metrics(
        columns: 80, rows: Int.random(in: 5...50, using: &dice), isGrid: Bool.random(using: &dice))
      var list = RowList()
      var numbers = Array(stride(from: Int64(40), to: 0, by: -1))
      list.update(reading(numbers), metrics, animatedAt: nil)
      for step in 0..<20 {
        list.move(by: Int.random(in: -9...9, using: &dice), metrics)
        let (before, selected, index) = (numbers, list.selected, list.selectedIndex)
        change(&numbers, &dice)
        list.update(reading(numbers), metrics, animatedAt: nil)
        #expect(list.selected == expected(selected, index, before, numbers), "seed \(seed), step \(step)")
        #expect(isOnScreen(list, metrics), "seed \(seed), step \(step)")
      }
    }
  }

  @Test func `rows that come and go above the screen move nothing on it`() {
    let metrics = Metrics(columns: 80, rows: 24)
    var list = RowList()
    list.update(reading(Array(stride(from: 40, to: 0, by: -1))), metrics, animatedAt: nil)
    list.select(20, metrics)
    let top = list.screenTop
    list.update(reading([60, 50] + Array(stride(from: 38, to: 0, by: -1))), metrics, animatedAt: nil)
    #expect((list.selected, list.screenTop) == (20, top))
  }

  private func reading(_ numbers: [Int64]) -> ListReading {
    ScreenTester.reading(numbers.map { ScreenTester.post($0, hours: 100 - Double($0), "post \($0)") })
  }

  private func change(_ numbers: inout [Int64], _ dice: inout Dice) {
    for _ in 0..<Int.random(in: 0...6, using: &dice) {
      if Bool.random(using: &dice), let gone = numbers.randomElement(using: &dice) {
        numbers.removeAll { $0 == gone }
      } else {
        let number = Int64.random(in: 1...99, using: &dice)
        if !numbers.contains(number) { numbers.append(number) }
      }
    }
    numbers.sort(by: >)
  }

  private func expected(_ selected: Int64?, _ index: Int?, _ before: [Int64], _ after: [Int64]) -> Int64? {
    guard let selected, let index else { return after.first }
    if after.contains(selected) { return selected }
    let below = before[index...].first { after.contains($0) }
    return below ?? before[..<index].last { after.contains($0) } ?? after.first
  }

  private func isOnScreen(_ list: RowList, _ metrics: Metrics) -> Bool {
    guard let index = list.selectedIndex else { return list.reading.rows.isEmpty }
    let layout = RowLayout(list.reading, metrics)
    guard let item = layout.item(ofRow: index) else { return false }
    let top = item.top - list.offset(layout, metrics)
    return top == list.screenTop && top >= 0 && top + min(item.height, metrics.height) <= metrics.height
  }
}
