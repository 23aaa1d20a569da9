import { nearestNames } from "@haft/core/internal";
import type { PlatformClient, Tool } from "@haft/platform/client";

/** Returns whether a text has the form of an ID. */
export function isId(text: string): boolean {
  return /^[a-f0-9]{24}$/u.test(text);
}

/** Returns the tool with this name or ID. */
export async function requireTool(name: string, client: PlatformClient): Promise<Tool> {
  const found = await client.tools.find(name);
  if (found !== undefined) return found;
  const names: string[] = [];
  for await (const tool of client.tools.each({ deprecated: false })) names.push(tool.name);
  const near = nearestNames(name, names);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "`haft tool list` shows the tools.";
  throw new Error(`There is no tool ${JSON.stringify(name)}. ${hint}`);
}
