import { pathToFileURL } from "node:url";
import type { FileEvent } from "./file-scan.ts";
import { stampOf } from "./file-stamp.ts";
import type { TextDocument } from "./text-document.ts";

/** The documents that are open in a server. */
export interface OpenDocuments {
  /** Opens or updates a file in the server. Returns the document's version. */
  show(document: TextDocument): number;
  has(path: string): boolean;
  /** Makes the server check an unchanged file again. */
  touch(document: TextDocument): number;
  /** Closes documents that have changed on disk, except one path, so that the server reads them again. */
  dropChanged(events: readonly FileEvent[], kept: string | undefined): void;
  readonly size: number;
}

/** Sends a notification to a server. */
export type Notify = (method: string, params: object) => void;

const maxOpen = 50;

interface Shown {
  readonly text: string;
  readonly stamp: string | undefined;
  readonly version: number;
}

/** Keeps the last fifty files open. With `tellsSaves` the server is notified of saves too. */
export function createOpenDocuments(notify: Notify, tellsSaves: boolean): OpenDocuments {
  // Ordered by last use.
  const open = new Map<string, Shown>();
  let lastVersion = 0;

  const keep = ({ path, text, stamp }: TextDocument, version: number): number => {
    open.delete(path);
    open.set(path, { text, stamp, version });
    return version;
  };
  const close = (path: string): void => {
    open.delete(path);
    notify("textDocument/didClose", { textDocument: { uri: toUri(path) } });
  };
  const change = (document: TextDocument): number => {
    const { path, text } = document;
    const version = ++lastVersion;
    const textDocument = { uri: toUri(path), version };
    notify("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    if (tellsSaves) notify("textDocument/didSave", { textDocument: { uri: toUri(path) }, text });
    return keep(document, version);
  };

  return {
    get size() {
      return open.size;
    },
    show: (document) => {
      const { path, text, languageId } = document;
      const shown = open.get(path);
      if (shown !== undefined) {
        return shown.text === text ? keep(document, shown.version) : change(document);
      }
      for (const oldest of open.keys()) {
        if (open.size < maxOpen) break;
        close(oldest);
      }
      const version = ++lastVersion;
      const textDocument = { uri: toUri(path), languageId, version, text };
      notify("textDocument/didOpen", { textDocument });
      return keep(document, version);
    },
    has: (path) => open.has(path),
    touch: change,
    dropChanged: (events, kept) => {
      const changed = new Set(events.map(({ path }) => path));
      for (const [path, { stamp }] of [...open]) {
        if (path === kept) continue;
        if (changed.has(path) || stampOf(path) !== stamp) close(path);
      }
    },
  };
}

function toUri(path: string): string {
  return pathToFileURL(path).href;
}
