/** A name as a sentence may have it: in quotes if it could be taken for something else. */
export function showName(name: string): string {
  return /^[\p{L}\p{M}\p{N}_.-]+$/u.test(name) ? name : JSON.stringify(name);
}
