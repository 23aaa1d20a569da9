import { describe, expect, it } from "vitest";
import { capabilityOf, toSubjects } from "./subject.ts";

describe("toSubjects", () => {
  it("takes a key for a file unless it says what else it is", () => {
    expect(toSubjects([{ key: "a", mode: "read" }], { resolve: (path) => `/w/${path}` })).toEqual([
      { type: "file", key: "/w/a", mode: "read", tree: false },
    ]);
  });

  it("leaves hosts, commands and names as they are", () => {
    const keys = (["host", "command", "name"] as const).map(
      (type) => ({ key: "a", mode: "write", type, tree: true }) as const,
    );
    expect(toSubjects(keys, { resolve: (path) => `/w/${path}` })).toEqual(keys);
  });
});

describe("capabilityOf", () => {
  it.each([
    ["fs.read", "file", "read"],
    ["fs.write", "file", "write"],
    ["net.fetch", "host", "read"],
    ["shell.run", "command", "write"],
    [undefined, "name", "write"],
  ] as const)("is %s for a %s to %s", (capability, type, mode) => {
    expect(capabilityOf({ type, key: "a", mode, tree: false })).toBe(capability);
  });
});
