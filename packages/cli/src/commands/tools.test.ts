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
