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
    listed = { tools, foreign, isDeferring, entries: undefined };
    return listed;
  };
  const isShown = (tool: Tool): boolean =>
    tool.source === "builtin" || !look().isDeferring || taken.has(tool.id);

  return {
    isShown,
    start: () => {
      if (wanted.size > 0) taken = new Set([...taken, ...wanted]);
      wanted = new Set();
      listed = undefined;
    },
    catalog: {
      list: () => {
        const looked = look();
        looked.entries ??= looked.foreign.map((tool) => ({
          name: tool.id,
          description: tool.description,
          shown: isShown(tool) || wanted.has(tool.id),
        }));
        return looked.entries;
      },
      show: (names) => {
        const { foreign } = look();
        const asked = new Set(names);
        const added = foreign.filter((tool) => asked.has(tool.id) && !isShown(tool));
        const before = wanted.size;
        for (const { id } of added) wanted.add(id);
        if (wanted.size === before) return;
        look().entries = undefined;
        changed();
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
  entries: readonly CatalogEntry[] | undefined;
}
