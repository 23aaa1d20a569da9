import { ToolError } from "@haft/contract";
import type { Cell } from "./cell.ts";

/** The cells of all sessions: programs that may go on after the call that started them. */
export interface Cells {
  /**
   * Starts the next cell of a session. It counts as running until it has ended. Throws `quota` if too many
   * run.
   */
  start(session: string, make: (id: string) => Promise<Cell>): Promise<Cell>;
  /** Keeps a cell for later calls. */
  keep(session: string, kept: KeptCell): void;
  /** Returns a cell that was kept. Throws `not-found`. */
  find(session: string, id: string): KeptCell;
  /** Forgets a cell. */
  close(session: string, id: string): void;
}

/** A cell that goes on, or whose end no call has seen yet. */
export interface KeptCell {
  readonly cell: Cell;
  /** Has a person asked about the cell's calls during this call. */
  follow(callId: string): void;
}

const maxRunning = 8;
/** Maximum number of ended cells that wait to be read, of all sessions. */
const maxEnded = 32;

/** Creates an empty collection. */
export function createCells(): Cells {
  const kept = new Map<string, KeptCell>();
  const running = new Map<string, Set<string>>();
  const numbers = new Map<string, number>();
  const keyOf = (session: string, id: string): string => `${session} ${id}`;
  return {
    start: async (session, make) => {
      const own = running.get(session) ?? new Set<string>();
      if (own.size >= maxRunning) {
        throw new ToolError("quota", `${maxRunning} cells still run: ${[...own].join(", ")}.`, {
          remedy: "Wait for one with `code_output`, or terminate it.",
        });
      }
      const number = (numbers.get(session) ?? 0) + 1;
      const id = String(number);
      numbers.set(session, number);
      running.set(session, own.add(id));
      const release = (): void => {
        own.delete(id);
        if (own.size === 0) running.delete(session);
      };
      try {
        const cell = await make(id);
        void cell.ended.then(release);
        return cell;
      } catch (error) {
        release();
        throw error;
      }
    },
    keep: (session, cell) => {
      kept.set(keyOf(session, cell.cell.id), cell);
      const ended = [...kept].filter(([, one]) => !one.cell.isRunning);
      for (const [key] of ended.slice(0, -maxEnded)) kept.delete(key);
    },
    find: (session, id) => {
      const found = kept.get(keyOf(session, id));
      if (found !== undefined) return found;
      const prefix = keyOf(session, "");
      const ids = [...kept.keys()].filter((key) => key.startsWith(prefix));
      const known =
        ids.length === 0
          ? "No cell is open."
          : `Open cells: ${ids.map((key) => key.slice(prefix.length)).join(", ")}.`;
      throw new ToolError("not-found", `There is no cell ${JSON.stringify(id)}. ${known}`);
    },
    close: (session, id) => {
      kept.delete(keyOf(session, id));
    },
  };
}
