import { nearestNames } from "@haft/core";
import type { PlatformClient, Tool } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { refuseMore } from "../../environments/option-values.ts";
import { UsageError } from "../../usage-error.ts";

/** The tool that the first word names. */
export async function requireTool(name: string | undefined, client: PlatformClient): Promise<Tool> {
  if (name === undefined) throw new UsageError("Which tool? Name it, or give its id.");
  const found = await client.tools.find(name);
  if (found !== undefined) return found;
  const names: string[] = [];
  for await (const tool of client.tools.each({ deprecated: false })) names.push(tool.name);
  const near = nearestNames(name, names);
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : "haft tool list shows those there are.";
  throw new Error(`There is no tool ${JSON.stringify(name)}. ${hint}`);
}

/** The only word of a command, if it has one. */
export function onlyWord({ positionals }: CommandInput): string | undefined {
  refuseMore(positionals, 1);
  return positionals[0];
}
