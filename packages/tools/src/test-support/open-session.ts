import type { JsonValue, ToolResult } from "@haft/contract";
import { type Computer, createRegistry, createSession, type Rule } from "@haft/core";
import { expect } from "vitest";
import { builtinTools } from "../index.ts";

/** A session in which every call is allowed, and what calls of it end in. */
export interface TestSession {
  call(name: string, args: JsonValue): Promise<ToolResult>;
  /** The data of a call that must succeed. */
  run(name: string, args: JsonValue): Promise<unknown>;
}

/** Opens a session with all built-in tools; the same name again is the same session. */
export function openSession(
  computer: Computer,
  name = "test",
  rules: readonly Rule[] = [],
): TestSession {
  const session = createSession({
    registry: createRegistry(builtinTools),
    computer,
    name,
    rules: [{ permission: "*", pattern: "**", action: "allow" }, ...rules],
  });
  const call = (tool: string, args: JsonValue): Promise<ToolResult> =>
    session.call({ name: tool, arguments: args });
  return {
    call,
    run: async (tool, args) => {
      const result = await call(tool, args);
      expect(result).toMatchObject({ type: "output" });
      return result.type === "output" ? result.data : undefined;
    },
  };
}
