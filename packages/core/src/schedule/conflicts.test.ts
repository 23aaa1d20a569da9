import { describe, expect, it } from "vitest";
import type { Subject } from "../rules/subject.ts";
import { type Footprint, findConflict } from "./conflicts.ts";

const links: Readonly<Record<string, string>> = { "/w/link": "/w/a", "/w/dir": "/w/real" };

// Follows the links above, in any component.
function identify(path: string): string {
  const link = Object.keys(links).find((one) => path === one || path.startsWith(`${one}/`));
  return link === undefined ? path : `${links[link]}${path.slice(link.length)}`;
}

function touches(...subjects: Partial<Subject>[]): Footprint {
  return {
    tool: "t",
    serial: false,
    subjects: subjects.map((one) => ({ type: "file", key: "", mode: "read", tree: false, ...one })),
  };
}

const reads = (key: string): Footprint => touches({ key });
const writes = (key: string): Footprint => touches({ key, mode: "write" });
const readsTree = (key: string): Footprint => touches({ key, tree: true });
const writesTree = (key: string): Footprint => touches({ key, tree: true, mode: "write" });

function conflict(a: Footprint, b: Footprint): string | undefined {
  const forward = findConflict(a, b, identify);
  expect(findConflict(b, a, identify) === undefined).toBe(forward === undefined);
  return forward;
}

describe("findConflict", () => {
  it("assumes that a tool without a profile conflicts with everything", () => {
    const unknown: Footprint = { tool: "mystery", serial: false, subjects: undefined };
    expect(conflict(unknown, reads("/w/a"))).toBe("mystery does not say what it touches");
    expect(conflict(unknown, touches())).toBeDefined();
    expect(conflict(unknown, unknown)).toBeDefined();
  });

  it("keeps a serial tool apart from everything", () => {
    const serial: Footprint = { tool: "bash", serial: true, subjects: [] };
    expect(conflict(serial, reads("/w/a"))).toBe("bash runs alone");
    expect(conflict(serial, touches())).toBeDefined();
  });

  it("keeps a writer apart from readers and writers of the same thing", () => {
    expect(conflict(writes("/w/a"), reads("/w/a"))).toBe("one writes and one reads /w/a");
    expect(conflict(writes("/w/a"), writes("/w/a"))).toBe("both write /w/a");
  });

  it.each([
    ["readers of the same thing", reads("/w/a"), reads("/w/a")],
    ["writers of different things", writes("/w/a"), writes("/w/b")],
    ["a writer and a reader whose paths begin alike", writes("/w/a"), reads("/w/ab")],
    ["calls that touch nothing", touches(), touches()],
    [
      "a file and a name that are spelt alike",
      writes("/w/a"),
      touches({ key: "/w/a", mode: "write", type: "name" }),
    ],
    ["a directory's writer and a reader below it", writes("/w/d"), reads("/w/d/a")],
    ["readers of a tree and of a file in it", readsTree("/w"), reads("/w/a")],
  ])("lets %s run side by side", (_, a, b) => {
    expect(conflict(a, b)).toBeUndefined();
  });

  it.each([
    ["a tree and a file deep in it", readsTree("/w"), writes("/w/d/e/f")],
    ["a tree and itself", readsTree("/w/d"), writes("/w/d")],
    ["a tree that is written and a file in it", writesTree("/w"), reads("/w/a")],
    ["trees one in the other", writesTree("/w/d"), readsTree("/w")],
    ["the whole disk and a file", readsTree("/"), writes("/w/a")],
  ])("sees that %s overlap", (_, a, b) => {
    expect(conflict(a, b)).toBeDefined();
  });

  it("names the file, not the tree it lies in", () => {
    expect(conflict(readsTree("/w"), writes("/w/a"))).toContain("/w/a");
    expect(conflict(writes("/w/a"), readsTree("/w"))).toContain("/w/a");
  });

  it("does not confuse a longer name with a file in a tree", () => {
    expect(conflict(readsTree("/w/d"), writes("/w/d-evil/a"))).toBeUndefined();
  });

  it("knows two names of one file as one", () => {
    expect(conflict(writes("/w/a"), reads("/w/link"))).toBeDefined();
    expect(conflict(writes("/w/link"), writes("/w/a"))).toBeDefined();
    expect(conflict(readsTree("/w/real"), writes("/w/dir/x"))).toBeDefined();
    expect(conflict(writes("/w/link"), reads("/w/b"))).toBeUndefined();
  });

  it("looks up nothing while everybody reads", () => {
    const refuse = (): never => {
      throw new Error("looked up");
    };
    expect(findConflict(reads("/w/a"), reads("/w/link"), refuse)).toBeUndefined();
  });

  it("compares all things that two calls touch", () => {
    const both = touches({ key: "/w/a" }, { key: "/w/b", mode: "write" });
    expect(conflict(both, reads("/w/b"))).toBeDefined();
    expect(conflict(both, reads("/w/a"))).toBeUndefined();
  });
});
