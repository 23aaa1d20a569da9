import type { Tool } from "@haft/contract";
import type { OpenToolSource, Warn } from "../tool-source.ts";
import { createCallLog } from "./call-log.ts";
import { createCallStatusTool } from "./call-status-tool.ts";
import { describeInvocation, type InvocationSetting } from "./describe-invocation.ts";
import { createForwardCallTool, type ForwardCall } from "./forward-call-tool.ts";
import { openPlatformApi, type PlatformConnection } from "./platform-api.ts";
import { readStates } from "./read-states.ts";
import { resolveSpecs } from "./resolve-specs.ts";
import { type PublishedCalls, type ResolvedSpec, toPublishedTool } from "./to-published-tool.ts";
import {
  type ConversationState,
  type StateUse,
  specsOf,
  type ToolCallSpec,
} from "./tool-call-spec.ts";

/** Options of `openPublishedTools`. */
export interface PublishedToolsOptions extends InvocationSetting {
  readonly platform: PlatformConnection;
  /** The states of the conversation, or the specs of a single state. */
  readonly states: readonly ConversationState[] | readonly ToolCallSpec[];
  /** The initial state. Default: the first. */
  readonly state?: string;
  /** Hands the conversation over when `forward_call` is called. Default: there is no such tool. */
  readonly forwardCall?: ForwardCall;
  readonly warn: Warn;
}

/** The published tools of the current state. */
export interface PublishedTools extends OpenToolSource {
  readonly state: string;
  /** Switches to another state. From the next step on, its tools replace the current ones. */
  enterState(name: string, use?: StateUse): void;
  /** Finds newer versions that the specs allow. They are used from the next step on. */
  refresh(): Promise<void>;
}

/**
 * Opens the published tools of a platform. A spec whose tool or version does not exist is left out
 * with a warning.
 *
 * @example
 * ```ts
 * import { openPublishedTools } from "@haft/connect/published";
 *
 * const tools = await openPublishedTools({
 *   platform: { url: "https://haft.example.com", apiKey: "key" },
 *   states: [{ tool_id: "0123456789abcdef01234567", version_constraint: ">=1,<2" }],
 *   warn: console.warn,
 * });
 * ```
 */
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
  const log = createCallLog();
  const { forwardCall } = options;
  // System tools: no state lists them.
  const systemTools = [
    createCallStatusTool(log),
    ...(forwardCall === undefined ? [] : [createForwardCallTool(forwardCall)]),
  ];
  let resolved: ReadonlyMap<ToolCallSpec, ResolvedSpec> = new Map();
  let made = new Map<ToolCallSpec, Tool>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const refresh = async (): Promise<void> => {
    const all = [...states.values()].flatMap((each) => [
      ...specsOf(each),
      ...(each.type === "action" ? specsOf(each, "exit-condition") : []),
    ]);
    const found = await resolveSpecs(all, api, options.warn);
    // A version never changes, so its tool object is kept: calls in this step can go on using it.
    made = new Map([...made].filter(([spec]) => isSame(resolved.get(spec), found.get(spec))));
    resolved = found;
    notify();
  };
  const calls: PublishedCalls = {
    api,
    log,
    describe: (args) =>
      describeInvocation(args, options, { state, use, findUserId: api.findUserId }),
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
    tools: () => [...specsOf(state, use).flatMap(make), ...systemTools],
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    enterState: (name, nextUse = "action") => {
      state = findState(name);
      use = nextUse;
      notify();
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
