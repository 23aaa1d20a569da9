import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { expect, it, onTestFinished } from "vitest";
import { linesOf, type ScriptedAnswer, scriptModel } from "../loop/test-support/script-model.ts";
import { discoverManifests } from "../manifests/discover-manifests.ts";
import { openTestAgents } from "./test-support/open-test-agents.ts";

const files = Array.from({ length: 12 }, (_, at) => `f${at}.txt`);

function makeWorkspace(): { readonly workspace: string; readonly stateDirectory: string } {
  const directory = mkdtempSync(join(tmpdir(), "haft-kraken-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const workspace = mkdtempSync(join(directory, "workspace-"));
  for (const file of files) writeFileSync(join(workspace, file), `old ${file}\n`);
  return { workspace, stateDirectory: join(directory, "state") };
}

function edit(path: string): ScriptedAnswer["calls"] {
  return [
    { id: `edit-${path}`, name: "edit", input: { path, old_string: "old", new_string: "new" } },
  ];
}

it("kraken has workers change many files, and one undo takes everything back", async () => {
  const { workspace, stateDirectory } = makeWorkspace();
  const contents = (): string[] =>
    files.map((file) => readFileSync(join(workspace, file), "utf8").trim());
  const manifests = discoverManifests({ workspace, environment: {} }).list();
  // The first file is kraken's own; each of the others has a worker, all of them in one step.
  const kraken = scriptModel([
    { calls: [{ id: "look", name: "grep", input: { pattern: "old" } }] },
    { calls: edit("f0.txt") ?? [] },
    {
      calls: files.slice(1).map((file) => ({
        id: `to-${file}`,
        name: "task",
        input: { subagent_type: "kraken_worker", prompt: `Change ${file}.` },
      })),
    },
    { text: "Changed all." },
  ]);
  const computer = createDiskComputer({ workspace, stateDirectory, sandbox: "off" });
  const left = files.slice(1);
  const { session } = openTestAgents({
    manifests,
    computer,
    model: (agent) => {
      if (agent === "kraken") return kraken;
      return scriptModel([{ calls: edit(left.shift() ?? "") ?? [] }, { text: "Changed." }]);
    },
  });

  const result = await session.call({ name: "kraken", arguments: { task: "old becomes new" } });
  expect(result).toMatchObject({ data: { agent: "kraken", text: "Changed all.", reason: "end" } });
  expect(linesOf(kraken.requests[3]).filter((line) => line.includes("Changed."))).toHaveLength(11);
  expect(contents()).toEqual(files.map((file) => `new ${file}`));
  expect(
    result.metadata.track_files?.map((path) => path.slice(workspace.length + 1)).sort(),
  ).toEqual([...files].sort());

  const undone = await session.call({ name: "undo_edit" });
  expect(undone).toMatchObject({ type: "output" });
  expect((undone as { data: { undone: unknown[] } }).data.undone).toHaveLength(files.length);
  expect(contents()).toEqual(files.map((file) => `old ${file}`));
  expect(readdirSync(workspace).sort()).toEqual([...files].sort());
});

it("a plan's children can't write, whatever they are", async () => {
  const { workspace, stateDirectory } = makeWorkspace();
  const manifests = discoverManifests({ workspace, environment: {} }).list();
  const plan = manifests.find(({ name }) => name === "plan");
  const kraken = scriptModel([{ calls: edit("f0.txt") ?? [] }, { text: "Tried." }]);
  const { session } = openTestAgents({
    manifests,
    computer: createDiskComputer({ workspace, stateDirectory, sandbox: "off" }),
    model: () => kraken,
    session: { mode: { includeTools: plan?.tools ?? [] }, manifest: { rules: plan?.rules ?? [] } },
  });
  const task = { name: "task", arguments: { subagent_type: "kraken", prompt: "Go." } };
  expect(await session.call(task)).toMatchObject({ data: { text: "Tried." } });
  expect(linesOf(kraken.requests[1]).at(-1)).toMatch(
    /edit may not write .*outside what this session may access/u,
  );
  expect(readFileSync(join(workspace, "f0.txt"), "utf8")).toBe("old f0.txt\n");
});
