import { createMemoryComputer } from "@haft/computer/memory";
import { ToolError, type ToolSource } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createRegistry } from "../registry/registry.ts";
import type { Mode } from "../session/mode.ts";
import { createSession, type Session } from "../session/session.ts";
import { amp } from "./amp/amp.ts";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import type { Dialect } from "./dialect.ts";

function open(
  ids: readonly string[],
  dialect: Dialect,
  { mode, tools = [] }: { readonly mode?: Mode; readonly tools?: readonly MockTool[] } = {},
): Session {
  const native = ids.map(
    (name) => new MockTool({ name, source: "builtin", kind: "read", requires: {} }),
  );
  return createSession({
    registry: createRegistry([...native, ...tools]),
    computer: createMemoryComputer(),
    dialect,
    rules: [{ permission: "*", pattern: "**", action: "allow" }],
    ...(mode && { mode }),
  });
}

describe("a text with tools in backticks", () => {
  it.each([
    ["Use `write`. Then `haft doctor`.", "Use `Write`. Then `haft doctor`."],
    [
      "Stopped. For servers use `job_start`.",
      "Stopped. For servers use `Bash` with `run_in_background`.",
    ],
    ["Found it. Use `grep` and `write`. End.", "Found it. End."],
    ["- `write` it\n- `grep` it\n- end", "- `Write` it\n- end"],
    ["Use `grep`.", ""],
  ])("%j says %j", (text, said) => {
    expect(open(["write", "bash", "job_start"], claude).nameTools(text)).toBe(said);
  });

  it("follows the step's mode", () => {
    const session = open(["read", "grep"], amp);
    expect(session.nameTools("Use `grep`.")).toBe("Use `Grep`.");
    session.assume({ mode: { includeTools: ["Read"] } });
    session.startStep();
    expect(session.nameTools("Use `grep`.")).toBe("");
  });
});

describe("the texts of a call", () => {
  const say = (source: ToolSource) =>
    new MockTool({
      name: source === "builtin" ? "check" : "mcp__a__check",
      source,
      kind: "read",
      requires: {},
      description: "Checks. Use `write`. Use `job_start`.",
      output: { text: "`write`", advice: "Use `write`. Use `job_start`." },
    });

  it("are the dialect's if the tool is built in, and left alone otherwise", async () => {
    const session = open(["write"], amp, { tools: [say("builtin"), say("mcp")] });
    const shown = session.tools().map(({ description }) => description);
    expect(shown.slice(1)).toEqual([
      "Checks. Use `create_file`.",
      "Checks. Use `write`. Use `job_start`.",
    ]);
    expect(await session.call({ name: "Check", arguments: {} })).toMatchObject({
      data: { text: "`write`", advice: "Use `create_file`." },
    });
    expect(await session.call({ name: "mcp__a__check", arguments: {} })).toMatchObject({
      data: { advice: "Use `write`. Use `job_start`." },
    });
  });

  it("rewrite the remedy of an error, and not what it quotes", async () => {
    const error = new ToolError("failed", "No `write` in `job_start`.", {
      remedy: "Use `write`. Use `job_start`.",
    });
    expect(error.message).toBe("No `write` in `job_start`. Use `write`. Use `job_start`.");
    const failing = new MockTool({
      name: "check",
      source: "builtin",
      kind: "read",
      requires: {},
      error,
    });
    const session = open(["write"], amp, { tools: [failing] });
    expect(await session.call({ name: "Check", arguments: {} })).toMatchObject({
      error_text: "No `write` in `job_start`. Use `create_file`.",
    });
  });
});

describe("a mode that names tools", () => {
  it("shows those that the dialect lacks under their own names", () => {
    const mode = { includeTools: ["read", "repo_clone", "web_fetch"] };
    const ids = ["read", "repo_clone", "web_fetch", "bash"];
    const names = (dialect: Dialect): string[] =>
      open(ids, dialect, { mode })
        .tools()
        .map(({ name }) => name);
    expect(names(amp)).toEqual(["Read", "repo_clone", "read_web_page"]);
    // view_image shows no text, so read is there beside it.
    expect(names(codex)).toEqual(["view_image", "read", "repo_clone", "web_fetch"]);
  });
});
