/** Returns the known names that a misspelt name most likely means, nearest first. */
export function nearestNames(name: string, known: Iterable<string>, maxNames = 3): string[] {
  if (name.length > maxNameLength) return [];
  const wanted = foldName(name);
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const near: { name: string; distance: number }[] = [];
  for (const candidate of known) {
    if (candidate.length > maxNameLength) continue;
    const folded = foldName(candidate);
    const distance = measure(wanted, folded, allowed);
    if (distance <= allowed) near.push({ name: candidate, distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, maxNames)
    .map((one) => one.name);
}

// Comparing two names takes time proportional to the product of their lengths.
const maxNameLength = 200;

function measure(wanted: string, known: string, allowed: number): number {
  if (wanted === known) return 0;
  const long = wanted.length > 2 && known.length > 2;
  // A short name is in many long ones by chance, as `view` is in `repo_overview`.
  const isLike =
    2.5 * Math.min(wanted.length, known.length) >= Math.max(wanted.length, known.length);
  const contained = long && isLike && (known.includes(wanted) || wanted.includes(known));
  return contained ? 1 : editDistance(wanted, known, allowed);
}

/** Folds a name so that `ReadFile`, `read-file` and `read_file` are the same. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-.\s]/gu, "");
}

// Two swapped neighbours count as one typing error.
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => rows[row]?.[column] as number;
  for (let row = 1; row <= a.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column - 1) + (same ? 0 : 1),
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          row > 1 && column > 1 && swapped ? at(row - 2, column - 2) + 1 : limit + 1,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
