const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that bytes are, a byte order mark included; `undefined` if they are none. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = decoder.decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
