import { hash } from "node:crypto";

const maxLength = 64;

/** Returns the id of a server's tool: stable, and valid for every model provider. */
export function toToolId(server: string, tool: string): string {
  const id = `mcp__${server}__${tool.replaceAll(/[^a-zA-Z0-9_-]/gu, "_")}`;
  if (id.length <= maxLength) return id;
  // Long names often differ only at their end.
  const mark = `_${hash("sha256", tool).slice(0, 8)}`;
  return `${id.slice(0, maxLength - mark.length)}${mark}`;
}

const legalName = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,30}$/u;

/** Tells whether a server name is valid. In a tool's id it must be clear where the name ends. */
export function isServerName(name: string): boolean {
  return legalName.test(name) && !name.includes("__") && !name.endsWith("_");
}
