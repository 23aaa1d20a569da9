import type { Tool } from "@haft/contract";
import type { ToolSupply, Warn } from "../tool-supply.ts";
import { createCallBook } from "./call-book.ts";
import { createCallStatusTool } from "./call-status-tool.ts";
import { describeInvocation, type InvocationSetting } from "./describe-invocation.ts";
import { openPlatformApi, type PlatformPlace } from "./platform-api.ts";
import { readStates } from "./read-states.ts";
import { resolveSpecs } from "./resolve-specs.ts";
import { type PublishedCalls, type ResolvedSpec, toPublishedTool } from "./to-published-tool.ts";
import {
  type ConversationState,
  type StateUse,
  specsOf,
  type ToolCallSpec,
} from "./tool-call-spec.ts";

/** What makes published tools available to an agent. */
export interface PublishedToolsOptions extends InvocationSetting {
  readonly platform: PlatformPlace;
  /** The states of the conversation, or the specs of its only one. */
  readonly states: readonly ConversationState[] | readonly ToolCallSpec[];
  /** The state to begin in; the first unless said. */
  readonly state?: string;
  readonly warn: Warn;
}

/** Published tools, those of the present state. */
export interface PublishedTools extends ToolSupply {
  readonly state: string;
  /** Goes to another state: its tools are there from the next turn on, and those of this one no more. */
  enterState(name: string, use?: StateUse): void;
  /** Looks for newer versions that the specs allow; they are there from the next turn on. */
  refresh(): Promise<void>;
}

/** Opens published tools. A spec whose tool or version is not there costs a warning and itself. */
export async function openPublishedTools(options: PublishedToolsOptions): Promise<PublishedTools> {
  const states = new Map(readStates(options.states).map((state) => [state.name, state]));
  const findState = (name: string): ConversationState => {
    const found = states.get(name);
    if (found !== undefined) return found;
    throw new TypeError(
      `There is no state ${JSON.stringify(name)}. States: ${[...states.keys()].join(", ")}.`,
    );
  };
  let state = findState(options.state ?? [...states.keys()][0] ?? "");
  let use: StateUse = "action";

  const api = await openPlatformApi(options.platform);
  const listeners = new Set<() => void>();
  const book = createCallBook();
  const statusTool = createCallStatusTool(book);
  let resolved: ReadonlyMap<ToolCallSpec, ResolvedSpec> = new Map();
  let made = new Map<ToolCallSpec, Tool>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const refresh = async (): Promise<void> => {
    const all = [...states.values()].flatMap((each) => [
      ...specsOf(each),
      ...(each.type === "action" ? specsOf(each, "exit-condition") : []),
    ]);
    const found = await resolveSpecs(all, api, options.warn);
    // A version never changes, so neither does its tool: who has it in this turn may go on with it.
    made = new Map([...made].filter(([spec]) => isSame(resolved.get(spec), found.get(spec))));
    resolved = found;
    tell();
  };
  const calls: PublishedCalls = {
    api,
    book,
    describe: (args) => describeInvocation(args, options, { state, use }),
    gone: () => void refresh().catch((error) => options.warn(`published: ${error.message}`)),
  };
  const make = (spec: ToolCallSpec): readonly Tool[] => {
    const found = resolved.get(spec);
    if (found === undefined) return [];
    const tool = made.get(spec) ?? toPublishedTool(found, calls);
    made.set(spec, tool);
    return [tool];
  };
  await refresh();

  return {
    name: "published",
    get state() {
      return state.name;
    },
    tools: () => [...specsOf(state, use).flatMap(make), statusTool],
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    enterState: (name, nextUse = "action") => {
      state = findState(name);
      use = nextUse;
      tell();
    },
    refresh,
    close: async () => listeners.clear(),
  };
}

function isSame(before: ResolvedSpec | undefined, after: ResolvedSpec | undefined): boolean {
  return (
    after !== undefined &&
    JSON.stringify(before?.version) === JSON.stringify(after.version) &&
    JSON.stringify(before?.tool) === JSON.stringify(after.tool)
  );
}
