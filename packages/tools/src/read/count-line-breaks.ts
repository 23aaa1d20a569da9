/** How many line breaks bytes have, in any encoding that has ASCII in it. */
export function countLineBreaks(bytes: Uint8Array): number {
  let breaks = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) breaks++;
  return breaks;
}

/** A line feed; no encoding that has ASCII in it has this byte inside of another character. */
export const lineFeed = 0x0a;
