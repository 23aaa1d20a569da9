import { pathToFileURL } from "node:url";
import type { FileEvent } from "./file-scan.ts";
import { stampOf } from "./file-stamp.ts";
import type { TextDocument } from "./text-document.ts";

/** The files that a server has been shown. */
export interface OpenDocuments {
  /** Shows a file as it is now; gives the version that the server knows it by. */
  show(document: TextDocument): number;
  /** Has a file looked at again though it is the same. */
  touch(document: TextDocument): number;
  /** Has the server read again from disk what is no longer as it was shown, but for one path. */
  dropChanged(events: readonly FileEvent[], kept: string | undefined): void;
  readonly size: number;
}

/** Tells a server something. */
export type Notify = (method: string, params: object) => void;

const mostOpen = 50;

interface Shown {
  readonly text: string;
  readonly stamp: string | undefined;
  readonly version: number;
}

/** Keeps the latest fifty files open. Whoever is told wants saves too where `tellsSaves`. */
export function createOpenDocuments(notify: Notify, tellsSaves: boolean): OpenDocuments {
  // In the order of their last use.
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
        if (open.size < mostOpen) break;
        close(oldest);
      }
      const version = ++lastVersion;
      const textDocument = { uri: toUri(path), languageId, version, text };
      notify("textDocument/didOpen", { textDocument });
      return keep(document, version);
    },
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
