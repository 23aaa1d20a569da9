import type { CheckCrew } from "./check-crew.ts";
import { ContentTable, contentKinds } from "./content-table.ts";
import { FilterStore } from "./filter-store.ts";
import { readTrigrams } from "./read-trigrams.ts";
import type { SoughtText } from "./sought-text.ts";
import { look, StateTable } from "./state-table.ts";

/**
 * What is known about files, in rows instead of objects: visiting a hundred thousand objects takes as
 * long as the whole search. Paths are relative to the process's working directory.
 */
export class FileIndex {
  /** Increases whenever rows are taken from files. */
  generation = 0;
  readonly #rows = new Map<string, number>();
  /** By row. */
  readonly #paths: (string | undefined)[] = [];
  readonly #freeRows: number[] = [];
  #contents = new ContentTable(firstRows);
  #states: StateTable = StateTable.create(firstRows);
  /** The states that are being checked: the others may have grown meanwhile. */
  #checked: StateTable = this.#states;
  #filters = new FilterStore();
  #crew: CheckCrew | undefined;
  #news: (readonly [row: number, path: string])[] = [];

  /** Number of known files. */
  get size(): number {
    return this.#rows.size;
  }

  /** Others can help to check many files. */
  get hasCrew(): boolean {
    return this.#crew !== undefined;
  }

  /** Memory of the crew: a copy of each path. */
  get bytesOfHelpers(): number {
    let bytes = 0;
    for (const path of this.#rows.keys()) bytes += stringHeader + path.length;
    return bytes * (this.#crew?.size ?? 0);
  }

  /** The row of a file; a new one has no data. */
  rowOf(path: string): number {
    return this.#rows.get(path) ?? this.#addRow(path);
  }

  pathOf(row: number): string {
    return this.#paths[row] ?? "";
  }

  longestLineOf(row: number): number {
    return this.#contents.longestLineOf(row);
  }

  /** Drops all other files. Returns the generation in which their rows are reused. */
  keepOnly(groups: readonly (readonly number[])[]): number {
    const kept = new Uint8Array(this.#paths.length);
    for (const rows of groups) for (const row of rows) kept[row] = 1;
    for (const [path, row] of this.#rows) {
      if (kept[row] === 1) continue;
      this.#rows.delete(path);
      this.#filters.release(this.#contents.wordsOf(row));
      this.#contents.setFilter(row, noFilter);
      this.#paths[row] = undefined;
      this.#freeRows.push(row);
      this.generation++;
    }
    return this.generation;
  }

  /** Marks a file as changed: its data is void. */
  forget(path: string): void {
    const row = this.#rows.get(path);
    if (row !== undefined) this.#states.forget(row);
  }

  /** Lets a crew help to check many files. */
  engage(crew: CheckCrew): void {
    this.#crew = crew;
    const paths = Array.from(this.#rows, ([path, row]) => [row, path] as const);
    crew.tell({ states: this.#states.shared, paths });
  }

  /** Ends the crew. */
  close(): void {
    this.#crew?.close();
  }

  /** Lets the crew begin to check these files, while the caller does something else. */
  beginCheck(groups: readonly (readonly number[])[]): void {
    let count = 0;
    for (const rows of groups) {
      for (const row of rows) {
        this.#states.changed[row] = 0;
        this.#states.rows[count++] = row;
      }
    }
    this.#checked = this.#states;
    if (this.#news.length > 0) this.#crew?.tell({ paths: this.#news });
    this.#news = [];
    this.#crew?.begin(count);
  }

  /** Resolves when all are checked. */
  finishCheck(): void {
    this.#crew?.finish(this.#checked, this.#paths);
    if (this.#checked !== this.#states) this.#states.addChanges(this.#checked);
  }

  /** Leaves the rest unchecked. */
  stopCheck(): void {
    this.#crew?.stop();
  }

  /** Brings the data of a file up to date. */
  update(row: number): void {
    if (!this.#states.isCurrent(row, this.pathOf(row))) this.#read(row);
  }

  /** The same for a file of a finished check; true if it was changed. */
  updateChecked(row: number): boolean {
    if (this.#states.changed[row] === 0) return false;
    this.#read(row);
    return true;
  }

  /** Whether a file may match. */
  mayHold(row: number, { trigrams, ignoresCase }: SoughtText): boolean {
    const kind = this.#contents.kindOf(row);
    if (kind === contentKinds.silent) return false;
    if (kind === contentKinds.unknown || (kind === contentKinds.folding && ignoresCase))
      return true;
    const offset = this.#contents.offsetOf(row);
    const words = this.#contents.wordsOf(row);
    for (const group of trigrams) {
      if (!group.some((hashes) => this.#filters.mayHold(offset, words, hashes))) return false;
    }
    return true;
  }

  #read(row: number): void {
    const path = this.pathOf(row);
    this.#filters.release(this.#contents.wordsOf(row));
    this.#contents.setFilter(row, noFilter);
    this.#contents.setKind(row, contentKinds.silent, 0);
    const stats = look(path);
    if (!stats?.isFile()) {
      this.#states.forget(row);
      return;
    }
    this.#states.note(row, stats);
    const { kind, hashes, longestLine } = readTrigrams(path);
    this.#contents.setKind(row, kind, longestLine);
    if (kind === contentKinds.filtered || kind === contentKinds.folding) {
      this.#contents.setFilter(row, this.#filters.add(hashes));
    }
    if (this.#filters.isWasteful) this.#compact();
  }

  #compact(): void {
    const compacted = new FilterStore();
    for (const row of this.#rows.values()) {
      const words = this.#contents.wordsOf(row);
      const filter = { offset: this.#contents.offsetOf(row), words };
      this.#contents.setFilter(row, { offset: compacted.copy(this.#filters, filter), words });
    }
    this.#filters = compacted;
  }

  #addRow(path: string): number {
    const row = this.#freeRows.pop() ?? this.#paths.length;
    this.#rows.set(path, row);
    this.#paths[row] = path;
    if (row >= this.#states.capacity) {
      this.#states = StateTable.create(this.#states.capacity * 2, this.#states);
      this.#contents = new ContentTable(this.#states.capacity, this.#contents);
      this.#crew?.tell({ states: this.#states.shared });
    }
    this.#states.forget(row);
    this.#contents.setKind(row, contentKinds.unknown, 0);
    if (this.#crew !== undefined) this.#news.push([row, path]);
    return row;
  }
}

const firstRows = 1024;
const noFilter = { offset: 0, words: 0 };

// Overhead of the engine for a string, and for the slot that holds it.
const stringHeader = 24;
