/** A replacement of everything but a head and a tail. */
export interface Splice {
  readonly head: number;
  readonly tail: number;
  readonly inserted: Uint8Array;
}

/** Finds the smallest splice between two contents. */
export function findSplice(before: Uint8Array, after: Uint8Array): Splice {
  const [a, b] = [viewOf(before), viewOf(after)];
  const maxLength = Math.min(a.length, b.length);
  const head = countEqual(maxLength, (from, to) => a.compare(b, from, to, from, to) === 0);
  const tail = countEqual(maxLength - head, (from, to) => {
    const [aEnd, bEnd] = [a.length - from, b.length - from];
    const length = to - from;
    return a.compare(b, bEnd - length, bEnd, aEnd - length, aEnd) === 0;
  });
  return { head, tail, inserted: after.subarray(head, after.length - tail) };
}

/** Applies a splice; `undefined` if it does not fit the bytes. */
export function applySplice(before: Uint8Array, splice: Splice): Uint8Array | undefined {
  const { head, tail, inserted } = splice;
  if (!isCount(head) || !isCount(tail) || head + tail > before.length) return undefined;
  const after = new Uint8Array(head + inserted.length + tail);
  after.set(before.subarray(0, head), 0);
  after.set(inserted, head);
  after.set(before.subarray(before.length - tail), head + inserted.length);
  return after;
}

// Number of equal units at the start, found with few comparisons of long ranges.
function countEqual(maxLength: number, areEqual: (from: number, to: number) => boolean): number {
  let equal = 0;
  for (let step = 64 * 1024; step >= 1; step = Math.floor(step / 16)) {
    while (equal < maxLength && areEqual(equal, Math.min(equal + step, maxLength))) {
      equal = Math.min(equal + step, maxLength);
    }
  }
  return equal;
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
