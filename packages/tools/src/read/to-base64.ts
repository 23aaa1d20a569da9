/** Encodes bytes for data that is JSON. */
export function toBase64(bytes: Uint8Array): string {
  const native = (bytes as { toBase64?(): string }).toBase64;
  if (native !== undefined) return native.call(bytes);
  let encoded = "";
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    encoded += btoa(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)));
  }
  return encoded;
}

// A multiple of three, so that no piece but the last is padded, and few enough to be arguments.
const pieceBytes = 3 * 4096;
