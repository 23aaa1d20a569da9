import type { CatalogEntry, Tool, ToolCatalog } from "@haft/contract";
import type { Snapshot } from "./snapshot.ts";

/** Decides which tools of a step the model sees. Tools that are not shown can still be called. */
export interface DeferredTools {
  readonly catalog: ToolCatalog;
  isShown(tool: Tool): boolean;
  /** Starts a step: requested tools are now shown. */
  start(): void;
}

/** The options of `createDeferredTools`. */
export interface DeferralOptions {
  /** Default: 8,000. */
  readonly maxTokens?: number | undefined;
  /** Returns the tokens of these tools' definitions. */
  measure(tools: readonly Tool[]): number;
  /** Returns the IDs of the tools that the session has called, the most used first. */
  listUsed(): readonly string[];
  /** Called when the shown tools change with the next step. */
  changed(): void;
}

// All definitions together, those of built-in tools included.
const defaultMaxTokens = 8_000;

const searchTool = "tool_search";

/**
 * Defers tools that are not built in if the definitions of all tools exceed a number of tokens and
 * `tool_search` is available. Then those that the session has called before are shown as far as they
 * fit. What is shown stays shown, so that the beginning of every request is the same for the
 * provider's cache.
 */
export function createDeferredTools(
  snapshot: () => Snapshot,
  { maxTokens = defaultMaxTokens, measure, listUsed, changed }: DeferralOptions,
): DeferredTools {
  const shown = new Set<string>();
  let wanted = new Set<string>();
  let listed: Listed | undefined;

  const look = (): Listed => {
    const tools = snapshot();
    if (listed?.tools === tools) return listed;
    const all = Array.from(tools.values());
    const foreign = all.filter(({ source }) => source !== "builtin");
    const canSearch = tools.has(searchTool);
    // A step without changes returns the same list, so that it need not be indexed again.
    const isSame = listed !== undefined && haveSame(listed.foreign, foreign);
    const entries = isSame && listed !== undefined ? listed.entries : foreign.map(toEntry);
    if (canSearch && !(isSame && listed?.canSearch)) choose(all, foreign);
    listed = { tools, foreign, canSearch, entries };
    return listed;
  };
  const choose = (all: readonly Tool[], foreign: readonly Tool[]): void => {
    const hidden = new Map(
      foreign.filter(({ id }) => !shown.has(id)).map((tool) => [tool.id, tool]),
    );
    if (hidden.size === 0) return;
    let left = maxTokens - measure(all.filter(({ id }) => !hidden.has(id)));
    if (measure([...hidden.values()]) <= left) {
      for (const id of hidden.keys()) shown.add(id);
      return;
    }
    for (const id of listUsed()) {
      const tool = hidden.get(id);
      const tokens = tool === undefined ? 0 : measure([tool]);
      if (tool === undefined || tokens > left) continue;
      shown.add(id);
      left -= tokens;
    }
  };
  const isShown = (tool: Tool): boolean =>
    tool.source === "builtin" || !look().canSearch || shown.has(tool.id);
  const toEntry = (tool: Tool): CatalogEntry => ({
    name: tool.id,
    description: tool.description,
    get shown() {
      return isShown(tool) || wanted.has(tool.id);
    },
  });

  return {
    isShown,
    start: () => {
      for (const id of wanted) shown.add(id);
      wanted = new Set();
    },
    catalog: {
      list: () => look().entries,
      show: (names) => {
        const asked = new Set(names);
        const before = wanted.size;
        for (const tool of look().foreign) {
          if (asked.has(tool.id) && !isShown(tool)) wanted.add(tool.id);
        }
        if (wanted.size > before) changed();
      },
    },
  };
}

interface Listed {
  readonly tools: Snapshot;
  readonly foreign: readonly Tool[];
  readonly canSearch: boolean;
  readonly entries: readonly CatalogEntry[];
}

function haveSame(some: readonly Tool[], others: readonly Tool[]): boolean {
  return some.length === others.length && some.every((tool, at) => tool === others[at]);
}
