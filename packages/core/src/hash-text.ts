/**
 * Returns a short, non-cryptographic hash of a text. It is the same on every machine and does not
 * resist deliberate collisions.
 */
export function hashText(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 13);
  }
  return toHex(mix(low)) + toHex(mix(high ^ low));
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  return once ^ (once >>> 15);
}

function toHex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
