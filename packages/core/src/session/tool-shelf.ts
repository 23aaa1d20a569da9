import type { CatalogEntry, Tool, ToolCatalog } from "@haft/contract";
import type { Snapshot } from "./snapshot.ts";

/** Which of a turn's tools a model is shown. What it is not shown can be called all the same. */
export interface ToolShelf {
  readonly catalog: ToolCatalog;
  isShown(tool: Tool): boolean;
  /** Begins a turn: what was asked for meanwhile is shown. */
  start(): void;
}

/** Past so many tools from elsewhere they are searched for instead of shown. */
const defaultMost = 20;

const searchTool = "tool_search";

/** Keeps tools from elsewhere back where they are many and there is a tool to search for them with. */
export function createToolShelf(
  snapshot: () => Snapshot,
  { deferAbove = defaultMost, changed }: ShelfOptions,
): ToolShelf {
  let taken: ReadonlySet<string> = new Set();
  let wanted = new Set<string>();
  let listed: Listed | undefined;

  const look = (): Listed => {
    const tools = snapshot();
    if (listed?.tools === tools) return listed;
    const foreign = Array.from(tools.values()).filter(({ source }) => source !== "builtin");
    const isDeferring = foreign.length > deferAbove && tools.has(searchTool);
    // A turn that brings nothing new leaves the list the same: whoever has indexed it need not again.
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

interface ShelfOptions {
  /** 20 unless said. */
  readonly deferAbove?: number | undefined;
  /** Is told when other tools will be shown from the next turn on. */
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
