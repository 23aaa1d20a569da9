import type { StateGraph } from "@haft/agent/states";
import { stateDirectory } from "@haft/computer";
import { stockRegistry, type ToolSupply, type Warn } from "@haft/connect";
import type { Tool } from "@haft/contract";
import { createRegistry, type Registry, type Session } from "@haft/core";
import { homeOf, type Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { limitSupply } from "./limit-supply.ts";
import { createToolLimit } from "./limit-tools.ts";
import { openPlans } from "./open-plans.ts";
import { openPublished } from "./open-published.ts";
import { openScripts } from "./open-scripts.ts";
import { openServers } from "./open-servers.ts";
import type { ToolPlace } from "./tool-place.ts";

/** The tools of a workspace, from wherever they come. */
export interface OpenTools {
  readonly registry: Registry;
  /** The states that tools depend on, where `--published` names a graph. */
  readonly graph: StateGraph | undefined;
  /** Lets modules hang their contributions on a session. */
  attach(session: Session): void;
  /** Ends what brought tools: servers, modules. */
  close(): Promise<void>;
}

/** What a workspace has tools of beside those that the options name. */
export type ToolOffer = Pick<ToolPlace, "computer" | "agentTools"> & {
  /** Where more tools come from, such as the servers that a client passes on. */
  openMore?(place: ToolPlace): Promise<readonly ToolSupply[]>;
};

/** Brings together the built-in tools and those from elsewhere, as far as the options want them. */
export async function openTools(
  options: CommonOptions,
  io: Io,
  { openMore, ...offer }: ToolOffer,
): Promise<OpenTools> {
  const warn: Warn = (message) => io.error(`haft: ${message}\n`);
  const place: ToolPlace = {
    ...offer,
    warn,
    state: stateDirectory(io.environment),
    home: homeOf(io),
  };
  const { plans, builtins } = await openPlans(options, io, place);
  const published = await openPublished(options, io, place);
  const supplies: readonly ToolSupply[] = [
    ...plans,
    ...(await openScripts(io, place)),
    ...(await openServers(options, io, place)),
    ...published.supplies,
    ...((await openMore?.(place)) ?? []),
  ];
  const close = async (): Promise<void> => {
    await Promise.all(supplies.map((supply) => supply.close()));
  };
  try {
    return {
      registry: limitTools(options, { builtins, supplies, warn }),
      graph: published.graph,
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
  readonly supplies: readonly ToolSupply[];
  readonly warn: Warn;
}

function limitTools(options: CommonOptions, offer: Offer): Registry {
  const all = stock(offer);
  if (options.tools === undefined && !options.readOnly) return all;
  const limit = createToolLimit(options, all);
  return stock({
    builtins: offer.builtins.flatMap((tool) => limit(tool) ?? []),
    supplies: offer.supplies.map((supply) => limitSupply(supply, limit)),
    // What clashes was told already.
    warn: () => {},
  });
}

function stock({ builtins, supplies, warn }: Offer): Registry {
  const registry = createRegistry(builtins);
  for (const supply of supplies) stockRegistry(registry, supply, warn);
  return registry;
}
