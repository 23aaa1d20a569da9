import { randomBytes } from "node:crypto";

let lastSecond = 0;
let prefix = "";
let counter = 0;

/** A new id: 24 hexadecimal digits, the later the larger within a process. */
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

/** What every id looks like. */
export const idPattern = "^[a-f0-9]{24}$";
