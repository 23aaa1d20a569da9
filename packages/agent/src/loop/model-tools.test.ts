import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { claude, createRegistry, createSession } from "@haft/core";
import { portable } from "@haft/core/internal";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { createModelTools } from "./model-tools.ts";

const openSession = (registry = createRegistry(builtinTools), rest: object = {}) =>
  createSession({ registry, computer: createMemoryComputer(), ...rest });

describe("the tools of a request", () => {
  it("are made once as long as they stay the same", () => {
    const registry = createRegistry(builtinTools);
    const session = openSession(registry);
    const toolsFor = createModelTools(session);
    const first = toolsFor("plain");
    session.startStep();
    expect(toolsFor("plain")).toBe(first);
    registry.add(new MockTool({ name: "late" }));
    expect(toolsFor("plain")).toBe(first);
    session.startStep();
    const second = toolsFor("plain");
    expect(second.count).toBe(first.count + 1);
    expect(second.tokens).toBeGreaterThan(first.tokens);
    expect(toolsFor("gemini")).not.toBe(second);
  });

  it("are run only by the session", () => {
    const { set } = createModelTools(openSession())("plain");
    expect(Object.values(set).filter((tool) => "execute" in tool)).toEqual([]);
  });

  it("stay the same in a dialect too", () => {
    const session = openSession(undefined, { dialect: claude });
    const toolsFor = createModelTools(session);
    const first = toolsFor("plain");
    session.startStep();
    expect(toolsFor("plain")).toBe(first);
    expect(first.find("Read")).toMatchObject({ tool: "read", kind: "read" });
  });

  it("are found by the session's names, whatever a provider has to call them", () => {
    const dialect = { ...portable, aliases: [{ name: "files.read", tool: "read" }] };
    const tools = createModelTools(openSession(undefined, { dialect }))("plain");
    const called = Object.keys(tools.set).find((name) => name.startsWith("files_read_")) ?? "";
    expect(tools.nameOf(called)).toBe("files.read");
    expect(tools.find("files.read")).toMatchObject({ tool: "read" });
    expect(tools.nameOf("nobody")).toBe("nobody");
    expect(tools.find("nobody")).toBe(undefined);
  });
});
