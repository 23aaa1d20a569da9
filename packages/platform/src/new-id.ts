import { randomBytes } from "node:crypto";

let lastSecond = 0;
let prefix = "";
let counter = 0;

/** Creates an ID of 24 hexadecimal digits. Within a process, later IDs are larger. */
export function newId(now: number = Date.now()): string {
  const second = Math.floor(now / 1000);
  if (second > lastSecond || prefix === "" || counter === 0xff_ffff) {
    lastSecond = Math.max(second, lastSecond);
    prefix = lastSecond.toString(16).padStart(8, "0") + randomBytes(5).toString("hex");
    counter = randomBytes(2).readUInt16BE();
  }
  counter += 1;
  return prefix + counter.toString(16).padStart(6, "0");
}

/** The pattern of IDs, for JSON schemas. */
export const idPattern = "^[a-f0-9]{24}$";
