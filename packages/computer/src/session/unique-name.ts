import { randomBytes } from "node:crypto";

// Random at the start and counted from there: requesting random bytes each time takes longer than
// creating a file.
const start = randomBytes(8);
const prefix = start.subarray(0, 4).toString("hex");
let count = start.readUInt32BE(4);

/** Returns 16 unique hexadecimal digits. */
export function makeUniqueName(): string {
  count = (count + 1) >>> 0;
  return `${prefix}${count.toString(16).padStart(8, "0")}`;
}
