import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createProviderNames } from "./provider-names.ts";

const openAi = { maxLength: 64, anyFirst: true };
const gemini = { maxLength: 64, anyFirst: false };

describe("names for a provider", () => {
  it("stay as they are where they are legal", () => {
    const names = createProviderNames(["read", "mcp__git__log", "0-x"], openAi);
    expect(["read", "mcp__git__log", "0-x"].map(names.toProvider)).toEqual([
      "read",
      "mcp__git__log",
      "0-x",
    ]);
  });

  it("get a mark that depends on nothing but the name", () => {
    const one = createProviderNames(["fs.read"], openAi).toProvider("fs.read");
    const among = createProviderNames(["a", "fs read", "fs.read", "fs_read"], openAi);
    expect(one).toMatch(/^fs_read_[0-9a-f]{8}$/u);
    expect(among.toProvider("fs.read")).toBe(one);
    expect(among.toProvider("fs read")).not.toBe(one);
  });

  it("begin as the provider wants", () => {
    const names = createProviderNames(["1st", "-x", ""], gemini);
    expect(names.toProvider("1st")).toMatch(/^_1st_/u);
    expect(names.toProvider("-x")).toMatch(/^_-x_/u);
    expect(names.toProvider("")).toMatch(/^__[0-9a-f]{8}$/u);
  });

  it("make way for a tool that has the very name", () => {
    const taken = createProviderNames(["fs.read"], openAi).toProvider("fs.read");
    const names = createProviderNames(["fs.read", taken], openAi);
    expect(names.fromProvider(taken)).toBe(taken);
    expect(names.fromProvider(names.toProvider("fs.read"))).toBe("fs.read");
    expect(names.toProvider("fs.read")).not.toBe(taken);
  });

  it("leave alone what stands for no tool", () => {
    expect(createProviderNames(["read"], openAi).fromProvider("raed")).toBe("raed");
  });

  it("are legal, differ, and lead back, whatever tools are called", () => {
    const name = fc.oneof(fc.string({ maxLength: 100 }), fc.constantFrom("a.b", "a b", "a/b"));
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.constantFrom(openAi, gemini), (all, rule) => {
        const names = createProviderNames(all, rule);
        const made = all.map(names.toProvider);
        const legal = rule.anyFirst ? /^[\w-]{1,64}$/u : /^[a-zA-Z_][\w-]{0,63}$/u;
        for (const one of made) expect(one).toMatch(legal);
        expect(new Set(made).size).toBe(all.length);
        expect(made.map(names.fromProvider)).toEqual(all);
      }),
      { numRuns: 200 },
    );
  });
});
