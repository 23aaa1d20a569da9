import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { openScope } from "../test-support/open-scope.ts";

describe("listing a directory on disk", () => {
  it("lists thousands of names, sorted", async () => {
    const { computer, root } = createDiskWorkspace();
    const names = Array.from({ length: 2500 }, (_, index) => `file-${(index * 7919) % 2500}.txt`);
    mkdirSync(join(root, "many"));
    for (const name of names) writeFileSync(join(root, "many", name), "");
    const listed = await openScope(computer).files.list("many");
    expect(listed.map((entry) => entry.name)).toEqual([...names].sort());
    expect(new Set(listed.map((entry) => entry.kind))).toEqual(new Set(["file"]));
  });
});
