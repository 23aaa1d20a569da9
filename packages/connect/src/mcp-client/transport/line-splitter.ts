/** Puts bytes together to lines, none longer than a limit. */
export interface LineSplitter {
  /** The lines that these bytes complete; `undefined` once a line is over-long. */
  take(bytes: Uint8Array): string[] | undefined;
}

/** Splits at line feeds; what a line has so far is kept as it came, and never more than the limit. */
export function createLineSplitter(longest: number): LineSplitter {
  let pending: Uint8Array[] = [];
  let length = 0;
  return {
    take: (bytes) => {
      const lines: string[] = [];
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
        if (length + end - start > longest) return undefined;
        pending.push(bytes.subarray(start, end));
        lines.push(Buffer.concat(pending).toString("utf8"));
        pending = [];
        length = 0;
        start = end + 1;
      }
      const rest = bytes.length - start;
      if (length + rest > longest) {
        pending = [];
        return undefined;
      }
      // A copy, for the bytes may be part of a buffer that is used again.
      if (rest > 0) pending.push(new Uint8Array(bytes.subarray(start)));
      length += rest;
      return lines;
    },
  };
}

const lineFeed = 10;
