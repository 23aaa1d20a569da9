// The first and the last moment that JavaScript's dates can say; git's can say others.
const furthest = 8.64e15;

/** A moment in milliseconds as the wire writes it. */
export function toIsoMoment(moment: number): string {
  const known = Number.isFinite(moment) ? moment : 0;
  return new Date(Math.max(-furthest, Math.min(furthest, known))).toISOString();
}
