import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ToolSupply } from "@haft/connect";
import type { CommandInput } from "../command.ts";
import { requireEnvironment } from "../environments/find-environment.ts";
import type { Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";
import type { ToolPlace } from "./tool-place.ts";

/** What a file of `--published` may say beside its states. */
interface PublishedFile {
  readonly states: unknown;
  readonly state?: string;
  readonly mode?: "regular" | "conversation-simulation";
}

/** An organization's published tools, as the tool-call specs of a file list them. */
export async function openPublished(
  { published }: CommonOptions,
  io: Io,
  { warn }: ToolPlace,
): Promise<readonly ToolSupply[]> {
  if (published === undefined) return [];
  const path = resolve(io.directory, published);
  const { url, apiKey, organization } = requireEnvironment(noChoice, io);
  try {
    const { states, state, mode } = readFile(path);
    const { openPublishedTools, readStates } = await import("@haft/connect/published");
    return [
      await openPublishedTools({
        platform: { url, apiKey, ...(organization !== undefined && { organization }) },
        states: readStates(states),
        ...(state !== undefined && { state }),
        ...(mode !== undefined && { mode }),
        warn,
      }),
    ];
  } catch (error) {
    throw new UsageError(`--published: ${(error as Error).message}`);
  }
}

// Here --env and --data would be the session's own; the environment says which platform it is.
const noChoice: CommandInput = { positionals: [], options: {} };

function readFile(path: string): PublishedFile {
  const content: unknown = JSON.parse(readFileSync(path, "utf8"));
  return Array.isArray(content) ? { states: content } : (content as PublishedFile);
}
