/** One entry of a stored tree object. */
export interface RawTreeEntry {
  /** In octal. */
  readonly mode: string;
  readonly name: Buffer;
  readonly hash: string;
}

const space = 0x20;
const hashBytes = 20;

/** Parses a tree object. fsck has checked that it is well formed. */
export function* readTreeObject(content: Buffer): Generator<RawTreeEntry> {
  let at = 0;
  while (at < content.length) {
    const modeEnd = content.indexOf(space, at);
    const nameEnd = content.indexOf(0, modeEnd + 1);
    if (modeEnd === -1 || nameEnd === -1) throw new Error("A tree object is truncated.");
    const end = nameEnd + 1 + hashBytes;
    yield {
      mode: content.toString("latin1", at, modeEnd),
      name: content.subarray(modeEnd + 1, nameEnd),
      hash: content.toString("hex", nameEnd + 1, end),
    };
    at = end;
  }
}
