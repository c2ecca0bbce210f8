// The list as a grid.
