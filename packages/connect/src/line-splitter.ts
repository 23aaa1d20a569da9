/** Assembles lines from chunks of bytes and limits their length. */
export interface LineSplitter {
  /** Returns the lines that these bytes complete, or `undefined` once a line is too long. */
  take(bytes: Uint8Array): string[] | undefined;
}

/** Creates a splitter at line feeds. It never keeps more than `maxBytes` of an unfinished line. */
export function createLineSplitter(maxBytes: number): LineSplitter {
  let pending: Uint8Array[] = [];
  let length = 0;
  return {
    take: (bytes) => {
      const lines: string[] = [];
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
        if (length + end - start > maxBytes) return undefined;
        pending.push(bytes.subarray(start, end));
        lines.push(Buffer.concat(pending).toString("utf8"));
        pending = [];
        length = 0;
        start = end + 1;
      }
      const rest = bytes.length - start;
      if (length + rest > maxBytes) {
        pending = [];
        return undefined;
      }
      // A copy: the caller may reuse the buffer.
      if (rest > 0) pending.push(new Uint8Array(bytes.subarray(start)));
      length += rest;
      return lines;
    },
  };
}

const lineFeed = 10;
