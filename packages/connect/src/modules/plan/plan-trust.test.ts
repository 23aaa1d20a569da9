import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPlanFixture, type PlanFixture } from "../test-support/plan-fixture.ts";
import { listUntrustedOfPlan } from "./plan-trust.ts";

const greeter = `export const mount = async (coordinator) => coordinator.mount("tools", {
  name: "greet", description: "Greets.", input_schema: { type: "object" },
  execute: async () => ({ success: true, output: "hello" }),
}, { name: "greet" });`;
const manifest = '{"type": "module", "exports": "./index.js"}';
const plan = "tools: [{module: greeter, source: ./greeter}]";

function open(): PlanFixture {
  return createPlanFixture({
    "workspace/plan.yaml": plan,
    "workspace/greeter/package.json": manifest,
    "workspace/greeter/index.js": greeter,
    "own.yaml": "tools: [{module: greeter, source: ./workspace/greeter}]",
  });
}

async function trustAll({ computer, directory }: PlanFixture, path: string): Promise<string[]> {
  const found = await listUntrustedOfPlan(join(directory, path), { computer, environment: {} });
  for (const item of found) computer.trust.trust(item);
  return found.map(({ kind }) => kind);
}

describe("a mount plan of the workspace", () => {
  it("is refused before a person has trusted it, though it was named", async () => {
    const fixture = open();
    await expect(fixture.open({}, "workspace/plan.yaml")).rejects.toThrow(
      /plan\.yaml came with the workspace, and its current content is not trusted.* haft trust/u,
    );
  });

  it("is refused behind a link, and as what a link outside leads to", async () => {
    const fixture = open();
    symlinkSync(join(fixture.directory, "own.yaml"), join(fixture.workspace, "linked.yaml"));
    symlinkSync(join(fixture.workspace, "plan.yaml"), join(fixture.directory, "mine.yaml"));
    for (const path of ["workspace/linked.yaml", "mine.yaml"]) {
      await expect(fixture.open({}, path)).rejects.toThrow("is not trusted");
    }
  });

  it("is mounted with its modules once both are trusted", async () => {
    const fixture = open();
    expect(await trustAll(fixture, "workspace/plan.yaml")).toEqual(["mount plan", "module"]);
    expect(await trustAll(fixture, "workspace/plan.yaml")).toEqual([]);
    const mounted = await fixture.open({}, "workspace/plan.yaml");
    expect(mounted.tools().map(({ id }) => id)).toEqual(["greet"]);
  });

  it("is refused again when it changes", async () => {
    const fixture = open();
    await trustAll(fixture, "workspace/plan.yaml");
    writeFileSync(join(fixture.workspace, "plan.yaml"), `${plan}\n`);
    await expect(fixture.open({}, "workspace/plan.yaml")).rejects.toThrow("is not trusted");
  });
});

describe("a module of the workspace", () => {
  it("is left out before it is trusted, also for a plan that lies elsewhere", async () => {
    const fixture = open();
    expect((await fixture.open({}, "own.yaml")).tools()).toEqual([]);
    expect(fixture.warnings).toEqual([
      expect.stringMatching(/greeter is left out\. .*is not trusted.* haft trust/u),
    ]);
    expect(await trustAll(fixture, "own.yaml")).toEqual(["module"]);
    expect((await fixture.open({}, "own.yaml")).tools()).toHaveLength(1);
  });

  it.each<[string, (workspace: string) => void]>([
    [
      "one of its files changes",
      (at) => writeFileSync(join(at, "greeter/index.js"), `${greeter}\n`),
    ],
    ["a file is added", (at) => writeFileSync(join(at, "greeter/more.js"), "")],
    [
      "a file is renamed",
      (at) => renameSync(join(at, "greeter/lib.js"), join(at, "greeter/lib2.js")),
    ],
    [
      "a file becomes a link to another place",
      (at) => {
        renameSync(join(at, "greeter/lib.js"), join(at, "lib.js"));
        symlinkSync("../lib.js", join(at, "greeter/lib.js"));
      },
    ],
    [
      "a directory is added",
      (at) => {
        mkdirSync(join(at, "greeter/node_modules"));
        writeFileSync(join(at, "greeter/node_modules/x.js"), "");
      },
    ],
  ])("is left out again when %s", async (_, change) => {
    const fixture = open();
    writeFileSync(join(fixture.workspace, "greeter/lib.js"), "");
    await trustAll(fixture, "own.yaml");
    change(fixture.workspace);
    expect((await fixture.open({}, "own.yaml")).tools()).toEqual([]);
    expect(fixture.warnings).toHaveLength(1);
  });
});
