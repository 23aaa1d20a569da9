import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { MountPlan } from "./mount-plan.ts";
import { parseMountPlan, readPlanFile } from "./read-mount-plan.ts";

async function read(text: string, name = "plan.yaml"): Promise<MountPlan> {
  const directory = mkdtempSync(join(tmpdir(), "haft-plan-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, name);
  writeFileSync(path, text);
  return parseMountPlan(await readPlanFile(path), path, { HOME_OF_IT: "/srv/it", EMPTY: "" });
}

describe("parseMountPlan", () => {
  it("reads the plan of the module contract", async () => {
    const { entries, notes } = await read(`
tools:
  - module: my-tool
    source: git+https://github.com/org/my-tool@main
    config:
      max_size: 1048576
      allowed_paths:
        - /home/user/projects
`);
    expect(notes).toEqual([]);
    expect(entries).toEqual([
      {
        module: "my-tool",
        source: "git+https://github.com/org/my-tool@main",
        config: { max_size: 1048576, allowed_paths: ["/home/user/projects"] },
        hosts: undefined,
      },
    ]);
  });

  it("reads JSON, and a plan without tools", async () => {
    expect((await read('{"tools": [{"module": "a"}]}', "plan.json")).entries).toMatchObject([
      { module: "a", config: {} },
    ]);
    expect((await read("tools:\n")).entries).toEqual([]);
  });

  it("expands variables at any depth, with defaults, and leaves escaped ones", async () => {
    const { entries } = await read(`
tools:
  - module: a
    source: \${HOME_OF_IT}/a
    config: { list: [{ of: "\${NOT_SET:-some:-thing}" }], empty: "\${EMPTY:-full}", kept: "$\${NAME} $5 \${}" }
    hosts: ["\${NOT_SET:-example.com}"]
`);
    expect(entries).toEqual([
      {
        module: "a",
        source: "/srv/it/a",
        config: { list: [{ of: "some:-thing" }], empty: "full", kept: `${"$"}{NAME} $5 ${"$"}{}` },
        hosts: ["example.com"],
      },
    ]);
  });

  it("refuses only the entry whose variable is not set", async () => {
    const { entries, refused } = await read(`
tools:
  - { module: a, source: "\${NOT_SET}" }
  - { module: b }
`);
    expect(entries.map(({ module }) => module)).toEqual(["b"]);
    expect(refused).toEqual([
      { module: "a", why: expect.stringMatching(/variable NOT_SET is not set\. Set it, or/u) },
    ]);
  });

  it("notes once that the sections of other programs are left alone, and what it does not know", async () => {
    const { notes } = await read(`
session: { orchestrator: loop-basic }
providers: []
tools:
  - { module: a, sourc: ./a }
`);
    expect(notes).toEqual([
      expect.stringMatching(/plan\.yaml: session, providers was ignored/u),
      "a: unknown key sourc was ignored. Known keys: module, source, config, hosts, as, prefer.",
    ]);
  });

  it.each([
    ["broken YAML", "tools:\n  - module: [a\n", /plan\.yaml, line \d: not valid YAML or JSON\./u],
    ["a key given twice", "tools: []\ntools: []\n", /line 2: .*unique/u],
    ["a text", "hello", /line 1: a mount plan must be a mapping\. Example: tools:/u],
    ["nothing", "", /plan\.yaml: a mount plan must be a mapping/u],
    ["a plan without the list", "tool: []", /line 1: the list "tools" is missing/u],
    ["tools that are no list", "\ntools: { a: 1 }", /line 2: "tools" must be a list/u],
    [
      "an entry that is a text",
      "tools:\n  - a\n  - b",
      /line 2: an entry of "tools" must be a mapping/u,
    ],
    [
      "an entry without a module",
      "tools:\n  - module: a\n  - source: ./b",
      /line 3: an entry of "tools" must have a "module"/u,
    ],
    [
      "a source that is a number",
      "tools:\n  - module: a\n    source: 5",
      /line 3: the source of a/u,
    ],
    [
      "a config that is a list",
      "tools:\n  - module: a\n    config: [1]",
      /line 3: the config of a/u,
    ],
    [
      "a new name that is none",
      "tools:\n  - module: a\n    as: no name",
      /line 3: "as" of a must/u,
    ],
    ["an answer that is none", "tools:\n  - module: a\n    prefer: 5", /line 3: "prefer" of a/u],
    ["hosts that are no list", "tools:\n  - module: a\n    hosts: x", /line 3: the hosts of a/u],
  ])("names the file and the line of %s", async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it("names a file that is not there", async () => {
    await expect(readPlanFile("/nowhere/plan.yaml")).rejects.toThrow(
      "The mount plan /nowhere/plan.yaml can't be read: there is no such file.",
    );
  });

  it("does not unfold what was folded to burst", async () => {
    const levels = "bcdefghi".split("");
    const text = levels.reduce(
      (made, name, at) => `${made}${name}: &${name} [${`*${"abcdefgh"[at]},`.repeat(9)}]\n`,
      "a: &a [x]\n",
    );
    await expect(read(`${text}tools: []\n`)).rejects.toThrow(/alias/u);
  });
});
