// Geometry without elements: rows of pictures in lines that fill the width.

/** Ratios beyond these are cropped. */
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** The ratio at which a tile is laid out. */
export const tileRatio = row => row.kind == null || row.kind === "audio" || row.kind === "file" ? 1.25 : clamp(row.ratio ?? 1, .45, 3);

/**
 * Breaks tiles into lines whose heights differ least from the target. Only the last line may leave the width unfilled, and
 * only if `isEnd`. Each line is how many tiles it has and its height.
 */
export function breakLines(ratios, width, target, gap, isEnd) {
  const count = ratios.length;
  const [costs, starts] = [new Float64Array(count + 1).fill(Infinity), new Int32Array(count + 1)];
  costs[0] = 0;
  for (let start = 0; start < count; start++) {
    let sum = 0;
    for (let end = start; end < count; end++) {
      sum += ratios[end];
      const height = (width - gap * (end - start)) / sum;
      const strain = isEnd && end === count - 1 && height > target ? 0 : Math.log(height / target);
      const cost = costs[start] + strain * strain;
      if (cost < costs[end + 1]) [costs[end + 1], starts[end + 1]] = [cost, start];
      if (height < target * .55) break;
    }
  }
  const lines = [];
  for (let end = count; end > 0; end = starts[end]) {
    const start = starts[end];
    let sum = 0;
    for (let index = start; index < end; index++) sum += ratios[index];
    const full = (width - gap * (end - start - 1)) / sum;
    lines.push({ count: end - start, height: isEnd && end === count ? Math.min(full, target) : full });
  }
  return lines.reverse();
}

/**
 * Lays rows out again after some came or went. Lines that stay whole keep their tiles; the lines after a change are broken
 * anew until a few have absorbed it. What changes above `fixed`, the row that is read, leaves the lines from it on alone.
 */
export function relay(rows, old, fixed, isWhole, shape) {
  const lineAt = new Map(old.map(line => [line.rows[0].id, line]));
  const known = new Set(old.flatMap(line => line.rows.map(row => row.id)));
  const fits = (line, index) => line?.rows.every((row, offset) => rows[index + offset]?.id === row.id);
  const lines = [];
  let index = 0;
  while (index < rows.length) {
    const kept = lineAt.get(rows[index].id);
    if (fits(kept, index)) {
      lines.push({ ...kept, rows: rows.slice(index, index += kept.rows.length) });
      continue;
    }
    const start = index;
    // Rows that come before all others get lines of their own.
    let [absorbed, isNew] = [0, start === 0];
    while (index < rows.length) {
      const line = lineAt.get(rows[index].id);
      if (fits(line, index)) {
        if (isNew || absorbed >= shape.absorb || line.rows.some(row => row.id === fixed)) break;
        absorbed += 1;
        index += line.rows.length;
      } else {
        if (known.has(rows[index].id)) isNew = false;
        index += 1;
      }
    }
    const part = rows.slice(start, index);
    let broken = shape.lines(part, index === rows.length && isWhole);
    // A few rows alone would fill the width with huge pictures.
    if (broken.at(-1).height > shape.target * 1.7) broken = shape.lines(part, true);
    let offset = 0;
    for (const line of broken) lines.push({ ...line, rows: part.slice(offset, offset += line.count) });
  }
  return lines;
}
