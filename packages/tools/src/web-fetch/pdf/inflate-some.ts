/** Decompressed data. */
export interface Inflated {
  /** Its first bytes. */
  readonly head: Uint8Array;
  /** It has more bytes than allowed. */
  readonly isTooMuch: boolean;
}

/** Decompresses data to measure its size, and keeps only its first bytes. */
export async function inflateSome(
  packed: Uint8Array,
  maxBytes: number,
  kept: number,
): Promise<Inflated> {
  const inflating = new DecompressionStream("deflate");
  const writer = inflating.writable.getWriter();
  // Errors appear when reading.
  writer.write(new Uint8Array(packed)).catch(() => {});
  writer.close().catch(() => {});
  const reader = inflating.readable.getReader();
  const head = new Uint8Array(kept);
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || total > maxBytes) break;
      if (total < kept) head.set(value.subarray(0, kept - total), total);
      total += value.length;
    }
  } catch {
    // If the data is damaged or followed by other data, keep what was read so far.
  }
  await reader.cancel().catch(() => {});
  return { head: head.slice(0, Math.min(total, kept)), isTooMuch: total > maxBytes };
}
