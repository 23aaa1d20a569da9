import type { Warn } from "@haft/connect";
import {
  type ConversationState,
  type ForwardCall,
  type InvocationSetting,
  openPublishedTools,
  type PlatformConnection,
  type PublishedTools,
  type StateUse,
} from "@haft/connect/published";
import { type Tool, ToolError } from "@haft/contract";
import { createEnterStateTool } from "./create-enter-state-tool.ts";
import { describeState } from "./describe-state.ts";
import { readStateGraph } from "./read-state-graph.ts";
import { shareSpecs } from "./share-specs.ts";
import type { RoleTaker, StateGraph } from "./state-graph.ts";
import type { GraphState, StateGraphFile } from "./state-graph-file.ts";

/** Options of `openStateGraph`. */
export interface StateGraphOptions extends InvocationSetting {
  /** The file's content. */
  readonly graph: unknown;
  /** The platform of the published tools. Required only if a state lists any. */
  readonly platform?: PlatformConnection | undefined;
  /** The state to start in. Default: the graph's initial state. */
  readonly state?: string | undefined;
  /** Hands the conversation over when `forward_call` is called. Default: there is no such tool. */
  readonly forwardCall?: ForwardCall | undefined;
  readonly warn: Warn;
}

/** Opens a state graph. Throws a `TypeError` that names the field and what to do if it is not valid. */
export async function openStateGraph(options: StateGraphOptions): Promise<StateGraph> {
  const file = readStateGraph(options.graph);
  const { states, warnings } = file;
  const start = findStart(file, options.state);
  let state = start;
  let use: StateUse = "action";
  const published = await openPublished(file, state, options);
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  // The published tools report every change of state too; once is enough.
  const stopListening = published?.onChange?.(tell);
  const go = (to: GraphState, nextUse: StateUse): void => {
    state = to;
    use = nextUse;
    if (published === undefined) tell();
    else published.enterState(to.name, nextUse);
  };

  const enter = (name: string): void => {
    const to = states.get(name);
    if (to === undefined || !state.next.includes(name)) {
      const ways = state.next.length === 0 ? "nowhere" : `to ${state.next.join(", ")}`;
      throw new ToolError(
        "not-available",
        `The state ${JSON.stringify(state.name)} leads ${ways}, not to ${JSON.stringify(name)}.`,
      );
    }
    go(to, "action");
  };
  const doors = new Map(
    [...states.values()]
      .filter(({ next }) => next.length > 0)
      .map((from) => [from, createEnterStateTool(from, { present: () => state.name, enter })]),
  );
  const tools = (): readonly Tool[] => {
    const door = doors.get(state);
    return [...(published?.tools() ?? []), ...(door === undefined ? [] : [door])];
  };
  const onChange = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  const mode = (): { readonly includeTools: readonly string[] } => ({
    includeTools: [...state.tools, ...tools().map(({ id }) => id)],
  });

  return {
    get state() {
      return state.name;
    },
    get hasExitCondition() {
      const { conversation, next } = state;
      if (conversation.type !== "action" || next.length === 0) return false;
      return (conversation.exit_condition_tool_call_specs ?? []).length > 0;
    },
    get use() {
      return use;
    },
    warnings,
    source: {
      name: "states",
      tools,
      onChange,
      close: async () => {
        await stopListening?.();
        listeners.clear();
        await published?.close();
      },
    },
    enter,
    resume: (name = start.name) => {
      if (!states.has(name)) {
        options.warn(
          `The session was in the state ${JSON.stringify(name)}, which the graph no longer has. It continues in ${JSON.stringify(start.name)}.`,
        );
      }
      go(states.get(name) ?? start, "action");
    },
    evaluateExit: () => {
      const judged = state;
      if (judged.type !== "action") {
        throw new ToolError(
          "not-available",
          `Only an action state has exit conditions; ${JSON.stringify(judged.name)} is of type ${judged.type}.`,
        );
      }
      go(judged, "exit-condition");
      return () => {
        if (state === judged && use === "exit-condition") go(judged, "action");
      };
    },
    mode,
    instructions: () => describeState(state, { use, designated: findDesignated(state, tools()) }),
    follow: (session: RoleTaker, role = () => ({})) => {
      const assume = (): void => session.assume({ ...role(), mode: mode() });
      assume();
      return onChange(assume);
    },
  };
}

function findStart({ initial, states }: StateGraphFile, wanted = initial): GraphState {
  const found = states.get(wanted);
  if (found !== undefined) return found;
  throw new TypeError(
    `There is no state ${JSON.stringify(wanted)}. States: ${[...states.keys()].join(", ")}.`,
  );
}

async function openPublished(
  { states }: StateGraphFile,
  start: GraphState,
  { graph: _, platform, state: __, forwardCall, ...rest }: StateGraphOptions,
): Promise<PublishedTools | undefined> {
  const conversations = shareSpecs([...states.values()].map(({ conversation }) => conversation));
  const lister = conversations.find(listsTools);
  if (lister === undefined) return undefined;
  if (platform === undefined) {
    throw new TypeError(
      `The state ${JSON.stringify(lister.name)} lists published tools, but no platform is configured. Specify one.`,
    );
  }
  return openPublishedTools({
    ...rest,
    ...(forwardCall !== undefined && { forwardCall }),
    platform,
    states: conversations,
    state: start.name,
  });
}

function listsTools(state: ConversationState): boolean {
  return Object.values(state).some((value) => Array.isArray(value) && value.length > 0);
}

// A published tool has the platform's name; its resource key tells its ID.
function findDesignated({ toolId }: GraphState, tools: readonly Tool[]): string | undefined {
  if (toolId === undefined) return undefined;
  const key = `published:${toolId}`;
  const found = tools.find(({ execution }) =>
    execution?.resourceKeys?.({}).some((resource) => resource.key === key),
  );
  if (found !== undefined) return found.id;
  return /^[a-f0-9]{24}$/u.test(toolId) ? undefined : toolId;
}
