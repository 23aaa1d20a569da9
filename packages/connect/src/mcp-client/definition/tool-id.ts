import { hash } from "node:crypto";

const longest = 64;

/** What a server's tool is called here: legal for every model provider, always the same. */
export function toToolId(server: string, tool: string): string {
  const id = `mcp__${server}__${tool.replaceAll(/[^a-zA-Z0-9_-]/gu, "_")}`;
  if (id.length <= longest) return id;
  // What tells long names apart is often at their end.
  const mark = `_${hash("sha256", tool).slice(0, 8)}`;
  return `${id.slice(0, longest - mark.length)}${mark}`;
}

const legalName = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,30}$/u;

/** Whether a server can be called so: the ids of its tools must tell where its name ends. */
export function isServerName(name: string): boolean {
  return legalName.test(name) && !name.includes("__") && !name.endsWith("_");
}
