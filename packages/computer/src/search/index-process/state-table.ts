import { lstatSync, type Stats } from "node:fs";
import { isSettled } from "../settled.ts";

/** The memory of a table, which threads can share. */
export interface SharedStates {
  readonly states: SharedArrayBuffer;
  readonly changed: SharedArrayBuffer;
  readonly rows: SharedArrayBuffer;
}

const fields = 4;

/**
 * The states of files when they were read, one row each: modification times, sizes and inodes. A
 * state that proves nothing is `NaN`, which equals no other.
 */
export class StateTable {
  readonly shared: SharedStates;
  /** Whether a file was found in another state, by row. */
  readonly changed: Uint8Array;
  /** The rows to check. */
  readonly rows: Int32Array;
  readonly #states: Float64Array;

  constructor(shared: SharedStates) {
    this.shared = shared;
    this.#states = new Float64Array(shared.states);
    this.changed = new Uint8Array(shared.changed);
    this.rows = new Int32Array(shared.rows);
  }

  /** Makes room for so many rows, with the content of another table. */
  static create(rows: number, before?: StateTable): StateTable {
    const table = new StateTable({
      states: new SharedArrayBuffer(rows * fields * Float64Array.BYTES_PER_ELEMENT),
      changed: new SharedArrayBuffer(rows),
      rows: new SharedArrayBuffer(rows * Int32Array.BYTES_PER_ELEMENT),
    });
    if (before !== undefined) {
      table.#states.set(before.#states);
      table.changed.set(before.changed);
    }
    return table;
  }

  get capacity(): number {
    return this.changed.length;
  }

  get bytes(): number {
    const { states, changed, rows } = this.shared;
    return states.byteLength + changed.byteLength + rows.byteLength;
  }

  /** Records the state of a file before it is read. */
  note(row: number, stats: Stats): void {
    const at = row * fields;
    // Changed so recently that another change might not show: the state proves nothing.
    this.#states[at] = isSettled(stats) ? stats.mtimeMs : Number.NaN;
    this.#states[at + 1] = stats.ctimeMs;
    this.#states[at + 2] = stats.size;
    this.#states[at + 3] = stats.ino;
    this.changed[row] = 0;
  }

  /** Forgets the state: the file counts as changed. */
  forget(row: number): void {
    this.#states[row * fields] = Number.NaN;
    this.changed[row] = 1;
  }

  /** Copies which files were found in another state. */
  addChanges({ changed }: StateTable): void {
    for (let row = 0; row < changed.length; row++) if (changed[row] === 1) this.changed[row] = 1;
  }

  /** Whether the file is still in the recorded state. */
  isCurrent(row: number, path: string): boolean {
    const stats = look(path);
    const at = row * fields;
    return (
      stats !== undefined &&
      stats.mtimeMs === this.#states[at] &&
      stats.ctimeMs === this.#states[at + 1] &&
      stats.size === this.#states[at + 2] &&
      stats.ino === this.#states[at + 3]
    );
  }
}

/** Stats of a path; `undefined` if it is not a file. */
export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
