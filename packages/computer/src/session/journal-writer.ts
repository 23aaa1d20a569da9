import { closeSync, fdatasync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { isSystemError } from "../disk/system-error.ts";
import { openAppended } from "./append-line.ts";
import { flushPath } from "./flush-path.ts";
import type { JournalLine } from "./journal-line.ts";
import type { SessionDirectory } from "./session-directory.ts";

/** A journal line that every process can see. It must be flushed or left. */
export interface WrittenLine {
  /** Size of the journal before. */
  readonly size: number;
  /** Size of the journal now. */
  readonly end: number;
  /** Flushes it to disk. */
  flush(): Promise<void>;
  /** Leaves the flushing to the system. */
  leave(): void;
}

const flushData = promisify(fdatasync);
const touchEveryMs = 1000;

/** Appends lines to a session's journal. */
export class JournalWriter {
  readonly #session: SessionDirectory;
  readonly #file: string;
  #end: number | undefined;
  #touchedAt = Number.NEGATIVE_INFINITY;

  constructor(session: SessionDirectory) {
    this.#session = session;
    this.#file = join(session.path, "journal.jsonl");
  }

  /** Records that the session is in use, unless that was recorded a moment ago. */
  touch(): void {
    const now = performance.now();
    if (now - this.#touchedAt < touchEveryMs) return;
    this.#session.touch();
    this.#touchedAt = now;
  }

  write(line: JournalLine): WrittenLine {
    const { fd, size, end } = this.#append(JSON.stringify(line));
    this.#end = end;
    return {
      size,
      end,
      flush: async () => {
        try {
          await flushData(fd);
        } finally {
          closeSync(fd);
        }
        if (size === 0) await flushPath(this.#session.path);
      },
      leave: () => closeSync(fd),
    };
  }

  #append(text: string): ReturnType<typeof openAppended> {
    const options = { mode: 0o600, knownEnd: this.#end };
    try {
      return openAppended(this.#file, text, options);
    } catch (error) {
      if (!isSystemError(error) || error.code !== "ENOENT") throw error;
      // The session's directory was removed meanwhile.
      this.#session.touch();
      return openAppended(this.#file, text, options);
    }
  }
}
