import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { Question, Tool, ToolResult } from "@haft/contract";
import {
  createRegistry,
  createScriptedHost,
  createSession,
  type Dialect,
  type Session,
} from "@haft/core";
import { builtinTools } from "@haft/tools";
import { expect, onTestFinished } from "vitest";

/** A session that speaks a dialect, in a workspace of its own. */
export interface OpenDialect {
  readonly root: string;
  readonly session: Session;
  readonly questions: readonly (readonly Question[])[];
  /** The native ids of the calls that somebody was asked about. */
  asked(): string[];
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  /** The text of a call that must succeed. */
  text(name: string, args: Record<string, unknown>): Promise<string>;
  /** The sentence of a call that must fail. */
  failure(name: string, args: Record<string, unknown>): Promise<string>;
  put(path: string, content: string | Uint8Array): string;
  get(path: string): string;
}

/** Opens one; everything goes when the test ends. */
export function openDialect(
  dialect: Dialect,
  more: readonly Tool[] = [],
  builtins: readonly Tool[] = builtinTools,
): OpenDialect {
  const base = mkdtempSync(join(tmpdir(), "haft-dialect-"));
  const root = join(base, "workspace");
  const home = join(base, "home");
  for (const directory of [join(root, ".git"), home]) mkdirSync(directory, { recursive: true });
  const computer = createDiskComputer({
    workspace: root,
    stateDirectory: join(base, "state"),
    home,
    flush: false,
    // What a dialect makes of commands is the same with a sandbox, and takes longer.
    sandbox: "off",
  });
  const host = createScriptedHost({
    ask: "once",
    question: (asked) => asked.map(({ options }) => [options?.[0]?.label ?? "whatever"]),
  });
  const session = createSession({
    registry: createRegistry([...builtins, ...more]),
    computer,
    dialect,
    host,
  });
  onTestFinished(async () => {
    await session.close();
    rmSync(base, { recursive: true, force: true });
  });
  const call: OpenDialect["call"] = (name, args) =>
    session.call({ name, arguments: args as never });
  return {
    root,
    session,
    questions: host.questions,
    asked: () => host.asked.map(({ tool }) => tool),
    call,
    text: async (name, args) => {
      const result = await call(name, args);
      if (result.type === "error") throw new Error(result.error_text);
      expect(typeof result.data).toBe("string");
      return result.data as string;
    },
    failure: async (name, args) => {
      const result = await call(name, args);
      if (result.type === "output") throw new Error(`${name} did not fail.`);
      return result.error_text;
    },
    put: (path, content) => {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    get: (path) => readFileSync(join(root, path), "utf8"),
  };
}
