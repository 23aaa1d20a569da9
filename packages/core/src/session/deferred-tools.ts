import type { CatalogEntry, Tool, ToolCatalog } from "@haft/contract";
import type { Snapshot } from "./snapshot.ts";

/** Decides which tools of a step the model sees. Tools that are not shown can still be called. */
export interface DeferredTools {
  readonly catalog: ToolCatalog;
  isShown(tool: Tool): boolean;
  /** Starts a step: requested tools are now shown. */
  start(): void;
}

/** With more tools than this that are not built in, the model must search for them. */
const defaultDeferAbove = 20;

const searchTool = "tool_search";

/** Defers tools that are not built in if there are many and `tool_search` is available. */
export function createDeferredTools(
  snapshot: () => Snapshot,
  { deferAbove = defaultDeferAbove, changed }: DeferralOptions,
): DeferredTools {
  let taken: ReadonlySet<string> = new Set();
  let wanted = new Set<string>();
  let listed: Listed | undefined;

  const look = (): Listed => {
    const tools = snapshot();
    if (listed?.tools === tools) return listed;
    const foreign = Array.from(tools.values()).filter(({ source }) => source !== "builtin");
    const isDeferring = foreign.length > deferAbove && tools.has(searchTool);
    // A step without changes returns the same list, so that it need not be indexed again.
    const entries =
      listed !== undefined && haveSame(listed.foreign, foreign)
        ? listed.entries
        : foreign.map(toEntry);
    listed = { tools, foreign, isDeferring, entries };
    return listed;
  };
  const isShown = (tool: Tool): boolean =>
    tool.source === "builtin" || !look().isDeferring || taken.has(tool.id);
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
      if (wanted.size > 0) taken = new Set([...taken, ...wanted]);
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

interface DeferralOptions {
  /** Default: 20. */
  readonly deferAbove?: number | undefined;
  /** Called when the shown tools change with the next step. */
  changed(): void;
}

interface Listed {
  readonly tools: Snapshot;
  readonly foreign: readonly Tool[];
  readonly isDeferring: boolean;
  readonly entries: readonly CatalogEntry[];
}

function haveSame(some: readonly Tool[], others: readonly Tool[]): boolean {
  return some.length === others.length && some.every((tool, at) => tool === others[at]);
}
