// Importing MediaHarvest imports MediaLibrary, and of the modules below it only these types of its interface.

@_exported import MediaLibrary

@_exported import struct HTTP.TimeSource
@_exported import enum Harvest.PullEvent
@_exported import struct Harvest.PullPlan
@_exported import struct Harvest.PullReport
@_exported import struct Harvest.PullSummary
