// The store's calls take and return these. Nobody else needs the arithmetic of coverage.

@_exported import struct Coverage.Known
@_exported import struct Coverage.PullGoal
@_exported import enum Coverage.UpwardMergeResult
