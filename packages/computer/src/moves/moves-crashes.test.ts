import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { spawnSource } from "../test-support/spawn-source.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";

const plant = `
mkdir -p same gone/deep mode swap-d .git/hooks; echo 1 > same/keep; echo 2 > same/changed; echo 3 > gone/a
head -c 9000 /dev/zero > gone/deep/big; echo 4 > mode/in; echo 5 > swap-f; echo 6 > swap-d/in
ln -s same link; echo 7 > .git/config; echo 8 > script; ln same/keep hard`;
const change = `
echo changed > same/changed; rm -r gone; chmod 711 mode; chmod 700 script; rm swap-f; mkdir -p swap-f/new
echo n > swap-f/new/n; rm -r swap-d; echo file > swap-d; ln -sfn gone link; echo other > .git/config
echo hook > .git/hooks/one; mkdir -p many/x; for i in 1 2 3 4 5; do echo $i > many/x/$i; done; mkdir empty`;

// The suite tries some moments; more are tried with HAFT_KILLS=500.
const kills = Number(process.env.HAFT_KILLS ?? 42);
const modes = ["apply", "undo", "redo"] as const;
const together = 3;

describe.runIf(process.platform === "linux")(
  "a process that is killed while it moves files",
  () => {
    it(`leaves all of it or nothing, ${kills} times`, { timeout: kills * 3_000 }, async () => {
      const outcomes: Record<string, number> = {};
      for (let at = 0; at < kills; at += together) {
        const ends = await Promise.all(
          modes.map((mode, index) => dieAndRecover(mode, Math.floor((at + index) * (150 / kills)))),
        );
        for (const [index, end] of ends.entries()) {
          const key = `${modes[index]} ${end}`;
          outcomes[key] = (outcomes[key] ?? 0) + 1;
        }
      }
      for (const mode of modes) {
        expect(Object.keys(outcomes)).toEqual(
          expect.arrayContaining([`${mode} before`, `${mode} after`]),
        );
      }
    });
  },
);

async function dieAndRecover(mode: (typeof modes)[number], steps: number): Promise<string> {
  const base = makeTemporaryDirectory();
  const [root, upper, state] = ["root", "upper", "state"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(root);
  execFileSync("sh", ["-c", plant], { cwd: root });
  execFileSync("cp", ["-a", root, upper]);
  execFileSync("sh", ["-c", change], { cwd: upper });
  const [one, two] = [readTree(root), readTree(upper)];
  const [before, after] = mode === "undo" ? [two, one] : [one, two];
  const child = await spawnSource("move-and-die.ts", [root, upper, state, mode, `${steps}`]);
  const [code, signal] = await once(child, "close");
  expect(code === 0 || signal === "SIGKILL").toBe(true);
  const computer = createDiskComputer({ workspace: root, stateDirectory: state });
  computer.openSession("another");
  const found = readTree(root);
  const isAfter = isDeepStrictEqual(found, after);
  if (!isAfter || code === 0) {
    expect({ mode, steps, found }).toEqual({ mode, steps, found: code === 0 ? after : before });
  }
  return isAfter ? "after" : "before";
}

function readTree(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true }) as string[]) {
    const path = join(root, name);
    const stats = lstatSync(path);
    if (/\.haft-[0-9a-f]{16}\.tmp/u.test(name)) continue;
    const content = stats.isSymbolicLink()
      ? readlinkSync(path)
      : stats.isFile()
        ? readFileSync(path, "utf8")
        : "";
    found[relative(root, path)] = `${stats.mode.toString(8)} ${content}`;
  }
  return found;
}
