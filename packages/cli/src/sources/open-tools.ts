import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StateGraph } from "@haft/agent/internal/states";
import { stateDirectory } from "@haft/computer/internal";
import { addToolSource, type OpenToolSource, type Warn } from "@haft/connect";
import { findToolboxDirectories, locateMcpStore } from "@haft/connect/internal";
import type { Tool } from "@haft/contract";
import { createRegistry, type Registry, type Session } from "@haft/core";
import { homeOf, type Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { createToolLimit, type ToolLimit } from "./limit-tools.ts";
import { openPlans } from "./open-plans.ts";
import { type OpenPublished, openPublished } from "./open-published.ts";
import type { ToolSourceContext } from "./tool-source-context.ts";

/** All tools of a workspace. */
export interface OpenTools {
  readonly registry: Registry;
  /** The state graph, if `--published` names one. */
  readonly graph: StateGraph | undefined;
  /** Sets the position in the conversation that published tools are invoked for. */
  readonly onRequest: OpenPublished["onRequest"];
  /** Attaches the contributions of modules to a session. */
  attach(session: Session): void;
  /** Closes all tool sources: servers and modules. */
  close(): Promise<void>;
}

/** Tools of a workspace besides those that the options name. */
export type ToolOffer = Pick<
  ToolSourceContext,
  "computer" | "agentTools" | "forwardCall" | "tracing"
> & {
  /** Opens further tool sources, such as the servers that a client passes on. */
  openMore?(context: ToolSourceContext): Promise<readonly OpenToolSource[]>;
  /** IDs of built-in tools that can't work here. They are left out unless `--tools` names tools. */
  readonly unusable?: readonly string[];
};

/** Opens the built-in tools and all tool sources that the options allow. */
export async function openTools(
  options: CommonOptions,
  io: Io,
  { openMore, unusable = [], ...offer }: ToolOffer,
): Promise<OpenTools> {
  const warn: Warn = (message) => io.error(`haft: ${message}\n`);
  const context: ToolSourceContext = {
    ...offer,
    warn,
    state: stateDirectory(io.environment),
    home: homeOf(io),
  };
  const { plans, builtins: native } = await openPlans(options, io, context);
  const builtins =
    options.tools === undefined ? native.filter(({ id }) => !unusable.includes(id)) : native;
  const published = await openPublished(options, io, context);
  const sources: readonly OpenToolSource[] = [
    ...plans,
    ...(await openScripts(io, context)),
    ...(await openServers(options, io, context)),
    ...published.sources,
    ...((await openMore?.(context)) ?? []),
  ];
  const close = async (): Promise<void> => {
    await Promise.all(sources.map((source) => source.close()));
  };
  try {
    return {
      registry: limitTools(options, { builtins, sources, warn }),
      graph: published.graph,
      onRequest: published.onRequest,
      attach: (session) => {
        for (const plan of plans) void plan.attach(session);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Offer {
  readonly builtins: readonly Tool[];
  readonly sources: readonly OpenToolSource[];
  readonly warn: Warn;
}

function limitTools(options: CommonOptions, offer: Offer): Registry {
  const all = stock(offer);
  if (options.tools === undefined && !options.readOnly) return all;
  const limit = createToolLimit(options, all);
  return stock({
    builtins: offer.builtins.flatMap((tool) => limit(tool) ?? []),
    sources: offer.sources.map((source) => limitSource(source, limit)),
    // Name clashes were already reported.
    warn: () => {},
  });
}

function stock({ builtins, sources, warn }: Offer): Registry {
  const registry = createRegistry(builtins);
  for (const source of sources) addToolSource(registry, source, warn);
  return registry;
}

/** Restricts a tool source by a limit. */
function limitSource(source: OpenToolSource, limit: ToolLimit): OpenToolSource {
  // A tool stays the same object while the source has it: a step identifies its tools by that.
  const limited = new WeakMap<Tool, { readonly tool: Tool | undefined }>();
  const keep = (tool: Tool): Tool[] => {
    const kept = limited.get(tool) ?? { tool: limit(tool) };
    limited.set(tool, kept);
    return kept.tool === undefined ? [] : [kept.tool];
  };
  return { ...source, tools: () => source.tools().flatMap(keep) };
}

/** Opens the scripts of the toolbox directories. Loads nothing if there are none. */
async function openScripts(
  { environment }: Io,
  { computer, home, state, warn }: ToolSourceContext,
): Promise<readonly OpenToolSource[]> {
  const workspace = computer.roots[0] as string;
  const directories = findToolboxDirectories(environment, { workspace, home });
  if (directories.length === 0) return [];
  const { openToolbox } = await import("@haft/connect/toolbox");
  const cacheDirectory = join(state, "toolbox");
  return [await openToolbox({ directories, computer, cacheDirectory, warn, hidesUntrusted: true })];
}

/** Opens the MCP servers of the workspace. Loads nothing if there are none. */
async function openServers(
  { readOnly }: CommonOptions,
  { environment }: Io,
  { computer, state, warn, tracing }: ToolSourceContext,
): Promise<readonly OpenToolSource[]> {
  const directory = locateMcpStore(state, computer.roots[0] as string);
  if (!existsSync(directory)) return [];
  const { openMcpServers } = await import("@haft/connect/mcp-client");
  const { openMcpStore } = await import("@haft/connect/internal/mcp-client");
  const store = openMcpStore(directory);
  return [await openMcpServers({ store, computer, environment, readOnly, warn, tracing })];
}
