import { pathToFileURL } from "node:url";
import type { Diagnostic } from "vscode-languageserver-types";
import type { LanguageClient } from "./language-client.ts";
import type { TextDocument } from "./text-document.ts";
import { askTsserver, hasTsserver } from "./tsserver-diagnostics.ts";

/** The diagnostics of a file. */
export interface Diagnosis {
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the server may report more. */
  readonly isIncomplete: boolean;
}

/** How long to wait for diagnostics. */
export interface DiagnosePatience {
  readonly signal: AbortSignal;
  /** Maximum wait for published diagnostics, or for a server that is loading. Default: 10 seconds. */
  readonly maxMs?: number | undefined;
  /** Wait after the last message. Default: half a second. */
  readonly settleMs?: number | undefined;
}

const defaultMaxMs = 10_000;

/** Gets the diagnostics of a file as it is on disk. The server must already know of changed files. */
export async function diagnose(
  client: LanguageClient,
  document: TextDocument,
  patience: DiagnosePatience,
): Promise<Diagnosis> {
  const isFresh = !client.documents.has(document.path);
  const pulled = (): Promise<Diagnosis> => pull(client, { document, isFresh }, patience);
  if (client.offers.has(pullMethod)) return pulled();
  if (hasTsserver(client)) {
    client.documents.show(document);
    const diagnostics = await askTsserver(client, toUri(document), patience.signal);
    return { diagnostics, isIncomplete: false };
  }
  return (await awaitPublished(client, document, patience)) ?? pulled();
}

const pullMethod = "textDocument/diagnostic";

interface PulledDocument {
  readonly document: TextDocument;
  /** Whether the server did not know it before. */
  readonly isFresh: boolean;
}

async function pull(
  client: LanguageClient,
  { document, isFresh }: PulledDocument,
  { signal, maxMs = defaultMaxMs }: DiagnosePatience,
): Promise<Diagnosis> {
  client.documents.show(document);
  const { identifier } = client.offers.optionsOf(pullMethod);
  const textDocument = { uri: toUri(document) };
  const params = { textDocument, ...(typeof identifier === "string" && { identifier }) };
  const ask = async (): Promise<readonly Diagnostic[]> => {
    const answer = await client.request<{ readonly items?: readonly Diagnostic[] } | null>(
      pullMethod,
      params,
      signal,
    );
    return answer?.items ?? [];
  };
  let diagnostics = await ask();
  if (isFresh && diagnostics.length === 0) {
    await client.untilQuiet(signal);
    diagnostics = await ask();
  }
  if (client.work.current() === undefined) return { diagnostics, isIncomplete: false };
  // The answer came while the server was loading the project, or before it reported that it had finished.
  const isIdle = await client.work.untilIdle({ signal, maxMs });
  if (!isIdle || signal.aborted) return { diagnostics, isIncomplete: true };
  return { diagnostics: await ask(), isIncomplete: false };
}

// Servers publish diagnostics when a file is opened or changed, some in several messages. Resolves with
// `undefined` if the server registers that it wants to be asked for them instead.
function awaitPublished(
  { documents, offers, published, work }: LanguageClient,
  document: TextDocument,
  { signal, maxMs = defaultMaxMs, settleMs = 500 }: DiagnosePatience,
): Promise<Diagnosis | undefined> {
  const { path } = document;
  const order = published.order;
  const size = documents.size;
  const before = documents.show(document);
  // Earlier diagnostics may refer to a previous state of the files.
  const version = documents.size === size ? documents.touch(document) : before;
  return new Promise((resolve) => {
    let settle: NodeJS.Timeout | undefined;
    const stop = (): void => {
      clearTimeout(settle);
      clearTimeout(limit);
      unfollow();
      unfollowOffers();
      signal.removeEventListener("abort", finish);
    };
    const finish = (): void => {
      stop();
      const latest = published.latest(path);
      const isFresh = latest !== undefined && isAbout(latest);
      resolve({
        diagnostics: latest?.diagnostics ?? [],
        isIncomplete: !isFresh || work.current() !== undefined,
      });
    };
    const isAbout = (said: { readonly order: number; readonly version: number | undefined }) =>
      said.order > order && (said.version === undefined || said.version >= version);
    const limit = setTimeout(finish, maxMs);
    const unfollow = published.follow(path, () => {
      const latest = published.latest(path);
      if (latest === undefined || !isAbout(latest)) return;
      clearTimeout(settle);
      settle = setTimeout(finish, settleMs);
    });
    const unfollowOffers = offers.follow(() => {
      if (!offers.has(pullMethod)) return;
      stop();
      resolve(undefined);
    });
    signal.addEventListener("abort", finish, { once: true });
    if (signal.aborted) finish();
  });
}

function toUri({ path }: TextDocument): string {
  return pathToFileURL(path).href;
}
