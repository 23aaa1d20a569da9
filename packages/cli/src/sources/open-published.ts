import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { StateGraph } from "@haft/agent/states";
import type { ToolSupply, Warn } from "@haft/connect";
import type { PlatformPlace } from "@haft/connect/published";
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

/** Published tools, and the graph of states that they belong to if the file is one. */
export interface OpenPublished {
  readonly supplies: readonly ToolSupply[];
  readonly graph?: StateGraph;
}

/** An organization's published tools, as the tool-call specs, states or graph of a file list them. */
export async function openPublished(
  { published }: CommonOptions,
  io: Io,
  { warn }: ToolPlace,
): Promise<OpenPublished> {
  if (published === undefined) return { supplies: [] };
  const path = resolve(io.directory, published);
  try {
    const file = readFile(path);
    const { isStateGraph } = await import("@haft/agent/states");
    return isStateGraph(file) ? await openGraph(file, io, warn) : await openStates(file, io, warn);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--published: ${(error as Error).message}`);
  }
}

async function openStates(file: PublishedFile, io: Io, warn: Warn): Promise<OpenPublished> {
  const { states, state, mode } = file;
  const { openPublishedTools, readStates } = await import("@haft/connect/published");
  const tools = await openPublishedTools({
    platform: findPlatform(io),
    states: readStates(states),
    ...(state !== undefined && { state }),
    ...(mode !== undefined && { mode }),
    warn,
  });
  return { supplies: [tools] };
}

async function openGraph(file: PublishedFile, io: Io, warn: Warn): Promise<OpenPublished> {
  const { state, mode } = file;
  const { openStateGraph } = await import("@haft/agent/states");
  // Without published tools a graph needs no platform.
  const needsPlatform = JSON.stringify(file).includes("_specs");
  const graph = await openStateGraph({
    graph: file,
    platform: needsPlatform ? findPlatform(io) : undefined,
    state,
    ...(mode !== undefined && { mode }),
    warn,
  });
  for (const warning of graph.warnings) warn(`--published: ${warning}`);
  return { supplies: [graph.supply], graph };
}

function findPlatform(io: Io): PlatformPlace {
  const { url, apiKey, organization } = requireEnvironment(noChoice, io);
  return { url, apiKey, ...(organization !== undefined && { organization }) };
}

// Here --env and --data would be the session's own; the environment says which platform it is.
const noChoice: CommandInput = { positionals: [], options: {} };

function readFile(path: string): PublishedFile {
  const content: unknown = JSON.parse(readFileSync(path, "utf8"));
  return Array.isArray(content) ? { states: content } : (content as PublishedFile);
}
