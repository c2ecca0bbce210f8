// Geometry without elements: rows of pictures in lines that fill the width.

import { dayWords, monthWords, shortDay } from "./parts.js";

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

/** One row of so many may begin a section, unless another such row or the edge of its month is within `CLEAR` rows. */
const SHARE = 12, CLEAR = 6;

/** Told by the number alone, spread evenly (multiplicative hashing). */
const isMark = ({ id }) => (Math.imul(id, 0x9E3779B1) >>> 0) < 2 ** 32 / SHARE;

const monthOf = row => row.day.slice(0, -3);

/**
 * Whether lines break before a row, whatever is in memory: a list is laid out in the same lines however one came to a place in
 * it, as far as some rows around it are known.
 */
function begins(rows, index, heads) {
  const turns = at => monthOf(rows[at]) !== monthOf(rows[at - 1]);
  if (turns(index) || heads.has(rows[index].id)) return true;
  if (!isMark(rows[index]) || index < CLEAR || index + CLEAR > rows.length) return false;
  for (let step = 1; step <= CLEAR; step++) if (isMark(rows[index - step]) || turns(index - step + 1) || rows[index + step] && turns(index + step)) return false;
  return true;
}

/**
 * Lays rows out: lines, each with its rows and height, a title where a month or a day begins, and the days that begin in it.
 * `isWhole` tells whether the rows have the list's start and its end. Lines break before the rows in `heads`, too. `shape` has
 * `lines(rows, isEnd)`, the target of their height, and `isList` for one row a line.
 */
export function layOut(rows, isWhole, heads, shape) {
  const lines = [];
  const period = shape.isList ? row => row.day : monthOf;
  const isNew = (index, part) => index < rows.length && rows[index].day && (index ? part(rows[index]) !== part(rows[index - 1]) : isWhole.start);
  let start = 0;
  for (let end = 1; end <= rows.length; end++) {
    if (end < rows.length && !shape.isList && !begins(rows, end, heads)) continue;
    const part = rows.slice(start, end);
    let broken = shape.lines(part, end < rows.length ? isNew(end, monthOf) : isWhole.end);
    // A few rows alone would fill the width with huge pictures.
    if (broken.at(-1).height > shape.target * 1.7) broken = shape.lines(part, true);
    let title = isNew(start, period) ? (shape.isList ? dayWords : monthWords)(rows[start].day) : null;
    for (const line of broken) {
      const days = rows.slice(start, start + line.count).map((row, place) => !shape.isList && isNew(start + place, row => row.day) ? shortDay(row.day) : null);
      lines.push({ ...line, rows: rows.slice(start, start += line.count), days, title });
      title = null;
    }
  }
  return lines;
}
