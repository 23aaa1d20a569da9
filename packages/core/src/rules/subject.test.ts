import { describe, expect, it } from "vitest";
import { readPlainCommand } from "../test-support/plain-commands.ts";
import { capabilityOf, toSubjects } from "./subject.ts";

const computer = { resolve: (path: string) => `/w/${path}`, readCommand: readPlainCommand };

describe("toSubjects", () => {
  it("treats a key as a file by default", () => {
    expect(toSubjects([{ key: "a", mode: "read" }], computer)).toEqual([
      { type: "file", key: "/w/a", mode: "read", tree: false },
    ]);
  });

  it("leaves hosts and names as they are", () => {
    const keys = (["host", "name"] as const).map(
      (type) => ({ key: "a", mode: "write", type, tree: true }) as const,
    );
    expect(toSubjects(keys, computer)).toEqual(keys);
  });
});

describe("toSubjects of a command", () => {
  it("has it read where it starts", () => {
    const key = { key: "ls a", mode: "write", type: "command", cwd: "src" } as const;
    expect(toSubjects([key], computer)).toEqual([
      {
        type: "command",
        key: "ls a",
        mode: "write",
        tree: false,
        cwd: "/w/src",
        reading: readPlainCommand("ls a", "/w/src"),
      },
    ]);
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
