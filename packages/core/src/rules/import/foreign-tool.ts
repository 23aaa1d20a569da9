import type { RuleAction } from "../rule.ts";
import type { Leaning } from "./imported-rules.ts";

/** A tool of another program: under which permissions it goes here. */
export interface ForeignTool {
  /** What may be used where it may be. */
  readonly allowed: readonly string[];
  /** What is held back where it is; as many as would do the same. */
  readonly heldBack?: readonly string[];
  /** What its patterns are about; nothing that a rule could be about unless said. */
  readonly about?: "command" | "path" | "host";
}

/** The tools of another program, by name. */
export type ForeignTools = Readonly<Record<string, ForeignTool>>;

/** The permissions that a rule on a foreign tool goes under; none if there is no such tool here. */
export function permissionsOf(
  name: string,
  tools: ForeignTools,
  leaning: Leaning,
): readonly string[] {
  if (name === "*") return ["*"];
  const mcp = /^mcp__(.+?)(?:__(.*))?$/u.exec(name);
  if (mcp !== null) return mcpPermissions(mcp[1] as string, mcp[2]);
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool === undefined) return [];
  return leaning === "wider" ? (tool.heldBack ?? tool.allowed) : tool.allowed;
}

/** What a rule on a tool leaves out of what its name says. */
export function noteOnTool(name: string, leaning: Leaning): string | undefined {
  const isPartial = leaning === "wider" && /^mcp__[^*]+\*$/u.test(name) && !name.endsWith("__*");
  return isPartial ? "the rule holds for one MCP server, not for others of such a name" : undefined;
}

/** Why there is no rule for a tool. */
export function whyNoTool(name: string, action: RuleAction): string {
  if (name.startsWith("mcp__")) return "a rule names one MCP server; others are asked about";
  return name.includes("*")
    ? "a rule names one tool, or all of them"
    : `there is no such tool here${action === "allow" ? "" : ", so nothing has to be held back"}`;
}

function mcpPermissions(server: string, tool: string | undefined): string[] {
  const name = tool === undefined ? server.replace(/_?\*$/u, "") : server;
  if (name === "" || name.includes("*")) return [];
  if (tool === undefined || tool === "" || /^\*+$/u.test(tool)) return [`mcp:${name}:*`];
  return tool.includes("*") ? [] : [`mcp:${name}:${tool}`];
}
