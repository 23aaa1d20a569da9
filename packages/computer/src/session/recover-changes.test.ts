import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { type CrashScenario, crashScenarios } from "../test-support/crash-scenarios.ts";
import { createDiskWorkspace, type DiskWorkspace } from "../test-support/disk-workspace.ts";
import { bytesOf, openScope } from "../test-support/open-scope.ts";
import { spawnSource } from "../test-support/spawn-source.ts";
import type { DiskSession } from "./disk-session.ts";

// A workspace in which a process died after it had replaced one file of several.
const openHalfDone = async (): Promise<DiskWorkspace & { readonly session: DiskSession }> => {
  const { before, after } = crashScenarios.change as CrashScenario;
  for (let steps = 1; ; steps++) {
    const workspace = createDiskWorkspace(before);
    const { root, stateDirectory, computer } = workspace;
    const session = computer.openSession("s");
    const child = await spawnSource("change-and-die.ts", [
      root,
      stateDirectory,
      "change",
      String(steps),
    ]);
    await once(child, "close");
    const isHalfDone =
      readFileSync(join(root, "a.txt"), "utf8") === after["a.txt"] &&
      existsSync(join(root, "b.txt"));
    if (isHalfDone) return { ...workspace, session };
  }
};

const openAgain = ({ root, stateDirectory }: DiskWorkspace) =>
  createDiskComputer({ workspace: root, stateDirectory });

describe("changes of several paths that were cut off", { timeout: 60_000 }, () => {
  it("are reverted by the next change of a session that was open all the time", async () => {
    const { computer, root, session } = await openHalfDone();
    const { journal } = session;
    writeFileSync(join(root, "z.txt"), "");
    const { files } = openScope(computer, undefined, { journal });
    await files.write("z.txt", "new");
    const { before } = crashScenarios.change as CrashScenario;
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(before["a.txt"]);
    expect(await journal.latest()).toMatchObject([{ path: join(root, "z.txt") }]);
  });

  it("keep what was changed since, and warn about it", async () => {
    const workspace = await openHalfDone();
    const { root } = workspace;
    writeFileSync(join(root, "a.txt"), "theirs");
    const warned = once(process, "warning");
    const { journal } = openAgain(workspace).openSession("s");
    expect(String((await warned)[0])).toContain(join(root, "a.txt"));
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("theirs");
    expect(readFileSync(join(root, "c.txt"), "utf8")).toBe("c");
    expect(await journal.latest()).toEqual([]);
  });

  it("are left alone while their process runs", async () => {
    const { computer, root, stateDirectory } = createDiskWorkspace({ "a.txt": "new" });
    const { journal } = computer.openSession("s");
    const change = { callId: "c", before: { kind: "absent" }, after: { kind: "absent" } } as const;
    const after = { kind: "file", content: bytesOf("new") } as const;
    const recording = await journal.record([
      { ...change, path: join(root, "a.txt"), after },
      { ...change, path: join(root, "b.txt") },
    ]);
    const other = createDiskComputer({ workspace: root, stateDirectory }).openSession("other");
    expect(await other.journal.latest()).toEqual([]);
    expect(existsSync(join(root, "a.txt"))).toBe(true);
    expect(await journal.latest()).toEqual([]);
    await recording?.done();
    expect(await journal.latest()).toHaveLength(1);
  });

  it("do not keep a session from being opened, whatever is in the way", async () => {
    const workspace = await openHalfDone();
    writeFileSync(join(workspace.session.directory, "journal.jsonl"), '{"version":9}\n');
    const warned = once(process, "warning");
    openAgain(workspace).openSession("other");
    expect(String((await warned)[0])).toContain("version 9");
  });
});
