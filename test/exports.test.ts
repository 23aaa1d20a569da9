import { describe, expect, it } from "vitest";

const entries: Readonly<Record<string, () => Promise<object>>> = {
  "@haft/contract": () => import("@haft/contract"),
  "@haft/contract/testing": () => import("@haft/contract/testing"),
  "@haft/core": () => import("@haft/core"),
  "@haft/computer": () => import("@haft/computer"),
  "@haft/computer/memory": () => import("@haft/computer/memory"),
  "@haft/tools": () => import("@haft/tools"),
  "@haft/platform": () => import("@haft/platform"),
  "@haft/cli": () => import("@haft/cli"),
};

describe("the public names", () => {
  it("change on purpose only", async () => {
    const names: Record<string, string[]> = {};
    for (const [entry, load] of Object.entries(entries)) {
      names[entry] = Object.keys(await load()).sort();
    }
    const text = `${JSON.stringify(names, undefined, 2)}\n`;
    await expect(text).toMatchFileSnapshot("exports.json");
  });
});
