import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { StateGraph } from "@haft/agent/internal/states";
import type { ConversationPosition } from "@haft/agent/internal/workspace-agents";
import type { OpenToolSource } from "@haft/connect";
import type { PlatformConnection, PublishedToolsOptions } from "@haft/connect/published";
import { isPlainObject } from "@haft/contract/internal";
import type { CommandInput } from "../command.ts";
import { requireEnvironment } from "../environments/find-environment.ts";
import type { Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";
import type { ToolSourceContext } from "./tool-source-context.ts";

/** The content of a `--published` file. */
interface PublishedFile {
  readonly states: unknown;
  readonly state?: string;
  readonly mode?: "regular" | "conversation-simulation";
}

/** Published tools, and the state graph if the file has one. */
export interface OpenPublished {
  readonly sources: readonly OpenToolSource[];
  readonly graph?: StateGraph;
  /** Sets the position in the conversation that the tools are invoked for. Before that, they are invoked for none. */
  onRequest?(position: ConversationPosition): void;
}

/** How the tools are invoked. */
type Use = Pick<PublishedToolsOptions, "mode" | "conversation" | "forwardCall" | "warn">;

/** Opens the published tools that the tool-call specs, states or graph of a file name. */
export async function openPublished(
  { published, simulate }: CommonOptions,
  io: Io,
  { warn, forwardCall }: ToolSourceContext,
): Promise<OpenPublished> {
  if (published === undefined) return { sources: [] };
  const path = resolve(io.directory, published);
  try {
    const file = readFile(path);
    const { isStateGraph } = await import("@haft/agent/internal/states");
    const mode = simulate ? "conversation-simulation" : file.mode;
    let position: ConversationPosition | undefined;
    // A file has no versions, so the platform is told 1.
    const stateMachine = [basename(path, ".json"), 1] as const;
    const use: Use = {
      ...(mode !== undefined && { mode }),
      ...(forwardCall !== undefined && { forwardCall }),
      conversation: () => position && { ...position, stateMachine },
      warn,
    };
    const open = isStateGraph(file) ? openGraph : openStates;
    return {
      ...(await open(file, io, use)),
      onRequest: (next) => {
        position = next;
      },
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--published: ${(error as Error).message}`);
  }
}

async function openStates(file: PublishedFile, io: Io, use: Use): Promise<OpenPublished> {
  const { states, state } = file;
  const { openPublishedTools } = await import("@haft/connect/published");
  const { readStates } = await import("@haft/connect/internal/published");
  const tools = await openPublishedTools({
    platform: findPlatform(io),
    states: readStates(states),
    ...(state !== undefined && { state }),
    ...use,
  });
  return { sources: [tools] };
}

async function openGraph(file: PublishedFile, io: Io, use: Use): Promise<OpenPublished> {
  const { openStateGraph } = await import("@haft/agent/internal/states");
  // Without published tools a graph needs no platform.
  const needsPlatform = JSON.stringify(file).includes("_specs");
  const graph = await openStateGraph({
    graph: file,
    platform: needsPlatform ? findPlatform(io) : undefined,
    state: file.state,
    ...use,
  });
  for (const warning of graph.warnings) use.warn(`--published: ${warning}`);
  return { sources: [graph.source], graph };
}

function findPlatform(io: Io): PlatformConnection {
  const { url, apiKey, organization } = requireEnvironment(noChoice, io);
  return { url, apiKey, ...(organization !== undefined && { organization }) };
}

// --env and --data have other meanings here, so only the environment selects the platform.
const noChoice: CommandInput = { positionals: [], options: {} };

function readFile(path: string): PublishedFile {
  const content: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (Array.isArray(content)) return { states: content };
  if (!isPlainObject(content)) throw new TypeError("the file must hold an object or a list.");
  const { mode } = content;
  if (mode !== undefined && !modes.includes(mode as string)) {
    throw new TypeError(`mode is ${JSON.stringify(mode)}. Use ${modes.join(" or ")}.`);
  }
  // One state by itself, as the documents of the classic API show it.
  const isState = !("states" in content) && "type" in content && "name" in content;
  return isState ? { states: [content] } : (content as unknown as PublishedFile);
}

const modes = ["regular", "conversation-simulation"];
