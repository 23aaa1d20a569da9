import { createMemoryComputer } from "@haft/computer/memory";
import type { Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createScriptedHost } from "../hosts/scripted-host.ts";
import { createRegistry } from "../registry/registry.ts";
import type { FileRules } from "../rules/file-rules.ts";
import { parseRule } from "../rules/rule.ts";
import { createSession, type Session } from "./session.ts";
import type { SessionOptions } from "./session-options.ts";

const computer = createMemoryComputer();

function builtin(name: string): MockTool {
  return new MockTool({ name, source: "builtin" });
}

let made = 0;

function open(tools: readonly Tool[], options: Partial<SessionOptions> = {}): Session {
  const registry = createRegistry(tools);
  return createSession({ registry, computer, name: `bounds-${++made}`, ...options });
}

function rules(...lines: readonly string[]): Pick<SessionOptions, "rules"> {
  return { rules: lines.map(parseRule) };
}

async function codeOf(session: Session, name: string): Promise<string | undefined> {
  const result = await session.call({ name });
  return result.metadata.error_code;
}

describe("a child session", () => {
  const tools = [builtin("send"), builtin("look")];

  it("is denied what its parent is denied, whatever is allowed to it", async () => {
    const parent = open(tools, rules("send * deny", "look * allow"));
    const child = open(tools, { parent: parent.bounds, ...rules("* * allow") });
    expect(await codeOf(child, "send")).toBe("denied");
    expect(await codeOf(child, "look")).toBeUndefined();
  });

  it("has what its parent was allowed, and asks where the parent would", async () => {
    const parent = open(tools, rules("look * allow"));
    const child = open(tools, { parent: parent.bounds, manifest: rules("send * allow") });
    expect(await codeOf(child, "look")).toBeUndefined();
    expect(await codeOf(child, "send")).toBe("headless");
  });

  it("is bounded by all that are above it", async () => {
    const top = open(tools, rules("send * deny", "* * allow"));
    const middle = open(tools, { parent: top.bounds, ...rules("* * allow") });
    const child = open(tools, { parent: middle.bounds, ...rules("* * allow") });
    expect(await codeOf(child, "send")).toBe("denied");
  });

  it("may be denied more than its parent", async () => {
    const parent = open(tools, rules("* * allow"));
    const child = open(tools, { parent: parent.bounds, manifest: rules("send * deny") });
    expect(await codeOf(child, "send")).toBe("denied");
    expect(await codeOf(parent, "send")).toBeUndefined();
  });

  it("stores an always where its parent has it too", async () => {
    const host = createScriptedHost({ ask: "session" });
    const parent = open(tools, { host });
    const child = open(tools, { host, parent: parent.bounds });
    expect(await codeOf(child, "send")).toBeUndefined();
    parent.startStep();
    expect(await codeOf(parent, "send")).toBeUndefined();
    expect(host.asked).toHaveLength(1);
  });

  it("has tools from elsewhere only if its parent has them", async () => {
    const remote = new MockTool({ name: "remote", source: "mcp" });
    const all = [...tools, remote];
    const without = open(all, { mode: { allowMcp: false }, ...rules("* * allow") });
    const having = open(all, { ...rules("* * allow") });
    const names = (parent: Session): string[] =>
      open(all, { parent: parent.bounds, mode: { allowMcp: true } })
        .tools()
        .map(({ name }) => name);
    expect(names(without)).toEqual(["send", "look"]);
    expect(names(having)).toEqual(["send", "look", "remote"]);
  });
});

describe("assume", () => {
  it("has another agent act from the next turn on", async () => {
    const session = open([builtin("send"), builtin("look")], rules("* * allow"));
    session.assume({ mode: { includeTools: ["look"] }, manifest: rules("look * deny") });
    expect(await codeOf(session, "send")).toBeUndefined();
    expect(await codeOf(session, "look")).toBeUndefined();
    session.startStep();
    expect(await codeOf(session, "send")).toBe("not-available");
    expect(await codeOf(session, "look")).toBe("denied");
    session.assume({});
    session.startStep();
    expect(await codeOf(session, "send")).toBeUndefined();
  });

  it("refuses an agent whose declaration does not compile, and continues as it was", async () => {
    const session = open([builtin("look")], rules("* * allow"));
    const requires = { fs: { read: ["{nowhere}/**"] } };
    expect(() => session.assume({ manifest: { requires } })).toThrow("nowhere");
    session.startStep();
    expect(await codeOf(session, "look")).toBeUndefined();
  });
});

describe("batch", () => {
  it("reports each result as it comes", async () => {
    const session = open([builtin("a"), builtin("b")], rules("* * allow"));
    const told: string[] = [];
    const outcomes = await session.batch([{ name: "a" }, { name: "b" }], {
      onResult: ({ name }) => told.push(name),
    });
    expect(told).toEqual(["a", "b"]);
    expect(outcomes.map(({ name }) => name)).toEqual(["a", "b"]);
  });
});

describe("the rules on files that a computer follows", () => {
  it("are those of all open sessions, with their manifests' and parents' rules", async () => {
    const followed = new Set<() => FileRules | undefined>();
    const followRules = (current: () => FileRules | undefined) => {
      followed.add(current);
      return () => followed.delete(current);
    };
    const options = { computer: { ...computer, followRules } };
    const parent = open([], { ...options, ...rules("fs.read a/** deny") });
    const child = open([], {
      ...options,
      parent: parent.bounds,
      manifest: { rules: [parseRule("fs.read b/** deny")] },
    });
    const deniedPatterns = () =>
      [...followed].map((current) => [
        ...new Set(current()?.sets.flatMap((set) => set.map(({ rule }) => rule.pattern))),
      ]);
    expect(deniedPatterns()).toEqual([["a/**"], ["a/**", "b/**"]]);
    await child.suspend();
    expect(deniedPatterns()).toEqual([["a/**"]]);
    await parent.close();
    expect(deniedPatterns()).toEqual([]);
  });
});
