import { chmodSync } from "node:fs";
import { join } from "node:path";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

describe("haft tools", () => {
  it("lists names with one line each", async () => {
    const { stdout } = await createTestWorkspace().haft(["tools"]);
    expect(stdout).toMatch(/^read {2,}\S.*\.$/mu);
    const listed = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ", 1)[0]);
    expect(listed).toEqual([
      ...builtinTools.map(({ id }) => id),
      ...["task", "task_output", "task_stop", "skill", "find_thread", "read_thread", "lsp"],
    ]);
  });

  it("gives scripts everything a model sees, and nothing else", async () => {
    const listed = (await createTestWorkspace().haft(["tools", "--json"])).json<object[]>();
    expect(listed.map((tool) => Object.keys(tool))).toEqual(
      listed.map(() => ["name", "description", "input_schema", "kind", "source", "requires"]),
    );
    expect(listed).toContainEqual(
      expect.objectContaining({ name: "write", kind: "edit", source: "builtin" }),
    );
  });
});

const echo = `#!/bin/bash
if [ "$TOOLBOX_ACTION" = describe ]; then
  echo '{"name":"echo","description":"Says it again.","args":{"text":["string","What to say."]}}'
fi
`;

interface Costs {
  readonly tokens: number;
  readonly shown_tokens: number;
  readonly deferred_tokens: number;
  readonly sources: readonly { readonly source: string; readonly tools: number }[];
  readonly tools: readonly { readonly name: string; readonly shown: boolean }[];
}

describe("haft tools --cost", () => {
  const open = () => {
    const { directory, haft } = createTestWorkspace({ ".haft/toolbox/echo": echo });
    chmodSync(join(directory, ".haft/toolbox/echo"), 0o755);
    return (...more: readonly string[]) =>
      haft(["tools", "--cost", "--trust-project", "--sandbox", "off", ...more]);
  };

  it("shows the tokens of each definition and source", async () => {
    const { stdout } = await open()();
    expect(stdout).toMatch(/^bash +\d+$/mu);
    expect(stdout).toMatch(/^native +\d+ {2}\d+ tools$/mu);
    expect(stdout).toMatch(/^toolbox +\d+ {2}1 tool$/mu);
    expect(stdout).toMatch(/Shown to a model: \d+ tokens\. Behind tool_search: 0\. Estimated/u);
  });

  it("tells which tools a model must search for", async () => {
    const haft = open();
    const few = (await haft("--json")).json<Costs>();
    expect(few.deferred_tokens).toBe(0);
    const { stdout } = await haft("--max-definition-tokens", "1000");
    expect(stdout).toMatch(/^tb__echo +\d+ {2}deferred$/mu);
    const many = (await haft("--json", "--max-definition-tokens", "1000")).json<Costs>();
    expect(many.tools.filter(({ shown }) => !shown).map(({ name }) => name)).toEqual(["tb__echo"]);
    expect(many.shown_tokens + many.deferred_tokens).toBe(few.tokens);
    expect(many.sources.map(({ source }) => source)).toEqual(["native", "toolbox"]);
  });

  it("refuses a number of tokens that is none", async () => {
    const { exitCode, stderr } = await open()("--max-definition-tokens", "many");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('at least 1, not "many"')]);
  });
});
