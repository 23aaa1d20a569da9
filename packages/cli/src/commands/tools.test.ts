import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

describe("haft tools", () => {
  it("lists names with one line each", async () => {
    const { stdout } = await createTestWorkspace().haft(["tools"]);
    expect(stdout).toMatch(/^read {2,}\S.*\.$/mu);
    expect(stdout.trimEnd().split("\n")).toHaveLength(builtinTools.length);
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
