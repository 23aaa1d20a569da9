import { randomBytes } from "node:crypto";

// Random at the start and counted from there: to ask for random bytes each time takes longer than
// to make a file.
const start = randomBytes(8);
const prefix = start.subarray(0, 4).toString("hex");
let count = start.readUInt32BE(4);

/** Sixteen hexadecimal digits that nobody else has. */
export function makeUniqueName(): string {
  count = (count + 1) >>> 0;
  return `${prefix}${count.toString(16).padStart(8, "0")}`;
}
