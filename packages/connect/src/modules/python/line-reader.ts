import { ToolError } from "@haft/contract";

const longestLine = 32 * 1024 * 1024;

/** Cuts what a process writes into lines; one that is far too long throws. */
export function createLineReader(onLine: (line: string) => void): (bytes: Uint8Array) => void {
  let parts: Uint8Array[] = [];
  let size = 0;
  return (bytes) => {
    let rest = bytes;
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      parts.push(rest.subarray(0, end));
      const line = Buffer.concat(parts).toString("utf8");
      parts = [];
      size = 0;
      rest = rest.subarray(end + 1);
      if (line.trim() !== "") onLine(line);
    }
    if (rest.length === 0) return;
    size += rest.length;
    if (size > longestLine) {
      parts = [];
      throw new ToolError("unavailable", `It sent a line of more than ${longestLine} bytes.`);
    }
    // What comes is lent for the time of this call.
    parts.push(Uint8Array.from(rest));
  };
}
