import type { RuleAction } from "../rule.ts";
import type { Leaning } from "./imported-rules.ts";

/** A tool of another program and the permissions it corresponds to. */
export interface ForeignTool {
  /** The permissions to allow if the tool is allowed. */
  readonly allowed: readonly string[];
  /** The permissions to restrict if the tool is restricted: all that can do the same. */
  readonly heldBack?: readonly string[];
  /** What its patterns match. Absent if no rule can express that. */
  readonly about?: "command" | "path" | "host";
}

/** The tools of another program, by name. */
export type ForeignTools = Readonly<Record<string, ForeignTool>>;

/** Returns the permissions for a rule on a foreign tool. Empty if Haft has no such tool. */
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

/** Returns a note if the rule covers less than the tool's name says. */
export function noteOnTool(name: string, leaning: Leaning): string | undefined {
  const isPartial = leaning === "wider" && /^mcp__[^*]+\*$/u.test(name) && !name.endsWith("__*");
  return isPartial
    ? "the rule applies to one MCP server, not to others with a matching name"
    : undefined;
}

/** Returns why there is no rule for a tool. */
export function whyNoTool(name: string, action: RuleAction): string {
  if (name.startsWith("mcp__")) return "a rule can only name one MCP server";
  return name.includes("*")
    ? "a rule can only name one tool or all tools"
    : `Haft has no such tool${action === "allow" ? "" : ", so there is nothing to restrict"}`;
}

function mcpPermissions(server: string, tool: string | undefined): string[] {
  const name = tool === undefined ? server.replace(/_?\*$/u, "") : server;
  if (name === "" || name.includes("*")) return [];
  if (tool === undefined || tool === "" || /^\*+$/u.test(tool)) return [`mcp:${name}:*`];
  return tool.includes("*") ? [] : [`mcp:${name}:${tool}`];
}
