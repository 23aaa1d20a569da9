import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../dialects/dialect.ts";
import { portable } from "../dialects/portable.ts";
import { createRegistry } from "../registry/registry.ts";
import { takeSnapshot } from "./snapshot.ts";

const read = new MockTool({ name: "read", aliases: [{ name: "read_file" }] });
const bash = new MockTool({ name: "bash" });
const remote = new MockTool({ name: "mcp__a__b", source: "mcp" });

describe("takeSnapshot", () => {
  it("holds all tools where there is no mode", () => {
    const registry = createRegistry([read, bash, remote]);
    expect([...takeSnapshot(registry, portable, {}).values()]).toEqual([read, bash, remote]);
  });

  it("does not change with the registry", () => {
    const registry = createRegistry([read]);
    const snapshot = takeSnapshot(registry, portable, {});
    registry.add(bash);
    expect([...snapshot.keys()]).toEqual(["read"]);
    expect([...takeSnapshot(registry, portable, {}).keys()]).toEqual(["read", "bash"]);
  });

  it("is shared by sessions without a mode until the registry changes", () => {
    const registry = createRegistry([read]);
    const snapshot = takeSnapshot(registry, portable, {});
    expect(takeSnapshot(registry, portable, {})).toBe(snapshot);
    registry.add(bash);
    expect(takeSnapshot(registry, portable, {})).not.toBe(snapshot);
  });

  it.each([
    ["ids", ["bash"], ["bash"]],
    ["a tool's own aliases", ["read_file"], ["read"]],
    ["a dialect's names", ["Shell"], ["bash"]],
    ["what there is not", ["none"], []],
  ])("includes tools by %s", (_, includeTools, ids) => {
    const dialect: Dialect = {
      name: "test",
      aliases: [{ name: "Shell", tool: "bash" }],
      native: "hidden",
    };
    const registry = createRegistry([read, bash, remote]);
    expect([...takeSnapshot(registry, dialect, { mode: { includeTools } }).keys()]).toEqual(ids);
  });

  it("leaves foreign tools out of a mode that says nothing of them", () => {
    const registry = createRegistry([read, remote]);
    expect([...takeSnapshot(registry, portable, { mode: {} }).keys()]).toEqual(["read"]);
  });

  it("does not include a foreign tool by its name alone", () => {
    const registry = createRegistry([remote]);
    const mode = { includeTools: ["mcp__a__b"] };
    expect(takeSnapshot(registry, portable, { mode }).size).toBe(0);
    expect(takeSnapshot(registry, portable, { mode: { ...mode, allowMcp: true } }).size).toBe(1);
  });
});
