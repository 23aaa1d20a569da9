import { pathToFileURL } from "node:url";
import type { Diagnostic } from "vscode-languageserver-types";
import type { LanguageClient } from "./language-client.ts";
import type { TextDocument } from "./text-document.ts";
import { askTsserver, hasTsserver } from "./tsserver-diagnostics.ts";

/** What a server says of a file. */
export interface Diagnosis {
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the server may have more to say. */
  readonly isIncomplete: boolean;
}

/** How long is waited for a server that says things by itself. */
export interface DiagnosePatience {
  readonly signal: AbortSignal;
  /** At most; 10 seconds unless said. */
  readonly mostMs?: number | undefined;
  /** After its last word; half a second unless said. */
  readonly settleMs?: number | undefined;
}

/** Has a server look at a file as it is on disk. Files that changed were told of before. */
export async function diagnose(
  client: LanguageClient,
  document: TextDocument,
  patience: DiagnosePatience,
): Promise<Diagnosis> {
  const textDocument = { uri: pathToFileURL(document.path).href };
  const { signal } = patience;
  if (client.offers.has("textDocument/diagnostic")) {
    client.documents.show(document);
    const { identifier } = client.offers.optionsOf("textDocument/diagnostic");
    const params = { textDocument, ...(typeof identifier === "string" && { identifier }) };
    const answer = await client.request<{ readonly items?: readonly Diagnostic[] } | null>(
      "textDocument/diagnostic",
      params,
      signal,
    );
    return { diagnostics: answer?.items ?? [], isIncomplete: client.work.current() !== undefined };
  }
  if (hasTsserver(client)) {
    client.documents.show(document);
    const diagnostics = await askTsserver(client, textDocument.uri, signal);
    return { diagnostics, isIncomplete: false };
  }
  return awaitPublished(client, document, patience);
}

// Servers say something about a file when it is shown or changes, some of them in several parts.
function awaitPublished(
  { documents, published, work }: LanguageClient,
  document: TextDocument,
  { signal, mostMs = 10_000, settleMs = 500 }: DiagnosePatience,
): Promise<Diagnosis> {
  const { path } = document;
  const order = published.order;
  const size = documents.size;
  const before = documents.show(document);
  // What it said earlier may be about other files than those that are there now.
  const version = documents.size === size ? documents.touch(document) : before;
  return new Promise((resolve) => {
    let settle: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(settle);
      clearTimeout(limit);
      unfollow();
      signal.removeEventListener("abort", finish);
      const latest = published.latest(path);
      const isFresh = latest !== undefined && isAbout(latest);
      resolve({
        diagnostics: latest?.diagnostics ?? [],
        isIncomplete: !isFresh || work.current() !== undefined,
      });
    };
    const isAbout = (said: { readonly order: number; readonly version: number | undefined }) =>
      said.order > order && (said.version === undefined || said.version >= version);
    const limit = setTimeout(finish, mostMs);
    const unfollow = published.follow(path, () => {
      const latest = published.latest(path);
      if (latest === undefined || !isAbout(latest)) return;
      clearTimeout(settle);
      settle = setTimeout(finish, settleMs);
    });
    signal.addEventListener("abort", finish, { once: true });
    if (signal.aborted) finish();
  });
}
