/** How bytes become other bytes: all but a head and a tail is replaced. */
export interface Splice {
  readonly head: number;
  readonly tail: number;
  readonly inserted: Uint8Array;
}

/** The one splice between two contents that replaces the least. */
export function findSplice(before: Uint8Array, after: Uint8Array): Splice {
  const [a, b] = [viewOf(before), viewOf(after)];
  const most = Math.min(a.length, b.length);
  const head = countEqual(most, (from, to) => a.compare(b, from, to, from, to) === 0);
  const tail = countEqual(most - head, (from, to) => {
    const [aEnd, bEnd] = [a.length - from, b.length - from];
    const length = to - from;
    return a.compare(b, bEnd - length, bEnd, aEnd - length, aEnd) === 0;
  });
  return { head, tail, inserted: after.subarray(head, after.length - tail) };
}

/** What a splice makes of bytes; `undefined` if it does not fit them. */
export function applySplice(before: Uint8Array, splice: Splice): Uint8Array | undefined {
  const { head, tail, inserted } = splice;
  if (!isCount(head) || !isCount(tail) || head + tail > before.length) return undefined;
  const after = new Uint8Array(head + inserted.length + tail);
  after.set(before.subarray(0, head), 0);
  after.set(inserted, head);
  after.set(before.subarray(before.length - tail), head + inserted.length);
  return after;
}

// So many of the first units are equal, found with few comparisons of long ranges.
function countEqual(most: number, areEqual: (from: number, to: number) => boolean): number {
  let equal = 0;
  for (let step = 64 * 1024; step >= 1; step = Math.floor(step / 16)) {
    while (equal < most && areEqual(equal, Math.min(equal + step, most))) {
      equal = Math.min(equal + step, most);
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
