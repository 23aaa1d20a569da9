import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

// Lets this process be killed before the n-th system call that changes something on disk, or in
// the middle of one that writes. It must be imported before whatever uses `node:fs`.
let left = Number.POSITIVE_INFINITY;

/** From now on so many steps are made, and then the process is killed. */
export function killAfter(steps: number): void {
  left = steps;
}

function step(): void {
  if (left-- > 0) return;
  process.kill(process.pid, "SIGKILL");
}

const changing = [
  ...["renameSync", "linkSync", "unlinkSync", "mkdirSync", "rmdirSync", "rmSync", "symlinkSync"],
  ...["fchmodSync", "fchownSync", "chmodSync"],
];
const table = fs as unknown as Record<string, (...args: never[]) => unknown>;

const wrap = (name: string, before: (...args: never[]) => void): void => {
  const original = table[name] as (...args: never[]) => unknown;
  table[name] = (...args) => {
    before(...args);
    return original(...args);
  };
};

for (const name of changing) wrap(name, step);
wrap("openSync", (_path: never, flags: never) => {
  const isReading = flags === undefined || flags === "r" || (Number(flags) & 0o103) === 0;
  if (!isReading) step();
});

const { writeSync, writeFileSync } = fs;
const writeHalf = (bytes: Uint8Array, write: (half: Uint8Array) => void): void => {
  step();
  if (left > 0) return;
  write(bytes.subarray(0, Math.floor(bytes.length / 2)));
  step();
};
wrap("writeSync", ((fd: number, content: Uint8Array, offset = 0) => {
  writeHalf(content.subarray(offset), (half) => writeSync(fd, half));
}) as (...args: never[]) => void);
wrap("writeFileSync", ((path: string, content: string, options: object) => {
  writeHalf(Buffer.from(content), (half) => writeFileSync(path, half, options));
}) as (...args: never[]) => void);
syncBuiltinESMExports();
