// Git itself, tables of all objects, and its cache of delta bases.
const ownBytes = 96 * 1024 * 1024;

/**
 * Returns the memory limit of git for a push with this maximum object size. It fits an object
 * that is stored as a delta, its base, and the base of that.
 */
export function maxPushDataBytes(maxObjectBytes: number): number {
  return 3 * maxObjectBytes + ownBytes;
}
