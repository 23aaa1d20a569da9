/** What came out of compressed data. */
export interface Inflated {
  /** The first of it. */
  readonly head: Uint8Array;
  /** There is more than was to be. */
  readonly isTooMuch: boolean;
}

/** Inflates data as far as it goes, to see how much it holds; keeps no more than its head. */
export async function inflateSome(
  packed: Uint8Array,
  most: number,
  kept: number,
): Promise<Inflated> {
  const inflating = new DecompressionStream("deflate");
  const writer = inflating.writable.getWriter();
  // What is broken shows where it is read.
  writer.write(new Uint8Array(packed)).catch(() => {});
  writer.close().catch(() => {});
  const reader = inflating.readable.getReader();
  const head = new Uint8Array(kept);
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || total > most) break;
      if (total < kept) head.set(value.subarray(0, kept - total), total);
      total += value.length;
    }
  } catch {
    // Data that is broken, or followed by something else, still holds what came so far.
  }
  await reader.cancel().catch(() => {});
  return { head: head.slice(0, Math.min(total, kept)), isTooMuch: total > most };
}
