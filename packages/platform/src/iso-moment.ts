// The range of JavaScript's dates. Git's dates can lie outside it.
const furthest = 8.64e15;

/**
 * Formats a time in milliseconds as an ISO 8601 string, clamped to the range of JavaScript's dates.
 */
export function toIsoMoment(moment: number): string {
  const known = Number.isFinite(moment) ? moment : 0;
  return new Date(Math.max(-furthest, Math.min(furthest, known))).toISOString();
}
