/// Which months of a list are counted: lists leave out what is planned, the calendar shows it.
struct MonthsKey: Sendable, Hashable {
  let list: ListAddress
  let showsPlanned: Bool
}
