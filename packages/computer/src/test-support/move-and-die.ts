// biome-ignore assist/source/organizeImports: it must come first, so that the others get what it wraps.
import { killAfter } from "./kill-at-step.ts";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { PastChange } from "@haft/contract";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { procPinning } from "../disk/proc-pinning.ts";
import { applyLayer } from "../layers/apply-layer.ts";
import { readLayer } from "../layers/read-layer.ts";
import { openScope } from "./open-scope.ts";
import { makeRunScope } from "./run-scope.ts";

// Makes a workspace what another directory is, as a command on a layer would; undoes and redoes that as
// far as asked; and is killed after so many steps of the last of these unless it is done before.
const [, , workspace = "", upper = "", stateDirectory = "", mode = "", steps = "0"] = process.argv;
const computer = createDiskComputer({ workspace, stateDirectory });
const { journal } = computer.openSession("s");
const stages = ["apply", "undo", "redo"];
const last = stages.indexOf(mode);

const acts: readonly (() => Promise<unknown>)[] = [
  () => {
    const read = async () => {
      const opaque = new Set(listDirectories(upper));
      return (
        await readLayer({
          path: workspace,
          upper,
          opaque,
          attributed: new Set(),
          closed: new Map(),
        })
      ).changes;
    };
    const scope = makeRunScope(computer, { session: "s", journal });
    return applyLayer(read, {
      ...{ scope, roots: [workspace, upper], pinning: procPinning, flush: false },
      ...{ startedAt: 2n ** 62n, base: () => undefined, kept: join(stateDirectory, "kept") },
    });
  },
  async () => undo("undo", (await journal.latest()) as PastChange[]),
  async () => {
    const calls = (await journal.calls?.()) ?? [];
    await undo("redo", calls.find(({ isUndo }) => isUndo)?.changes() ?? []);
  },
];
for (const [index, act] of acts.slice(0, last + 1).entries()) {
  if (index === last) killAfter(Number(steps));
  await act();
}
killAfter(Number.POSITIVE_INFINITY);
console.log(JSON.stringify("done"));

async function undo(callId: string, changes: readonly PastChange[]): Promise<void> {
  const { files } = openScope(computer, undefined, { journal, callId });
  await files.change(changes.map(({ id, path, before: to }) => ({ path, to, undoes: id })));
}

function listDirectories(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => listDirectories(join(directory, entry.name)))
    .concat(directory);
}
