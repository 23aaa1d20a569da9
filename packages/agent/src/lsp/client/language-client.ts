import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { ToolError } from "@haft/contract";
import { CancellationTokenSource, ResponseError } from "vscode-jsonrpc/node";
import type { FoundServer } from "../find/find-server.ts";
import { clientCapabilities } from "./client-capabilities.ts";
import { createFileScan, type FileEvent } from "./file-scan.ts";
import { createOpenDocuments, type OpenDocuments } from "./open-documents.ts";
import type { PositionEncoding } from "./position-encoding.ts";
import {
  createPublishedDiagnostics,
  type PublishedDiagnostics,
  type PublishParams,
} from "./published-diagnostics.ts";
import { createServerOffers, type ServerOffers } from "./server-offers.ts";
import type { ServerProcess } from "./server-process.ts";
import { answerServerRequests, toFolder } from "./server-requests.ts";
import { watchedNames } from "./watched-names.ts";
import { followWork, type WorkProgress } from "./work-progress.ts";

/** A language server that has started, and what it knows. */
export interface LanguageClient {
  /** The program's name. */
  readonly name: string;
  readonly offers: ServerOffers;
  /** Whether it has answered a question: before, it may have to load the project. */
  readonly isWarm: boolean;
  readonly encoding: PositionEncoding;
  readonly documents: OpenDocuments;
  readonly published: PublishedDiagnostics;
  readonly work: WorkProgress;
  /** Tells the server of every file that changed since the last time; `path` is shown after it. */
  catchUp(path: string | undefined): Promise<readonly FileEvent[]>;
  /** Asks the server. A `ServerEnded` if it is gone, `cancelled` if the signal fires. */
  request<Answer>(method: string, params: object, signal: AbortSignal): Promise<Answer>;
  /** Lets the server end by itself, and ends it if it does not. */
  close(): Promise<void>;
}

/** The server ended before it answered. */
export class ServerEnded extends Error {}

interface InitializeResult {
  readonly capabilities?: Readonly<Record<string, unknown>> & {
    readonly positionEncoding?: string;
    readonly textDocumentSync?: unknown;
  };
}

const closeGraceMs = 5_000;

/** Greets a server that was started, and waits until it is ready for questions. */
export async function openLanguageClient(
  process: ServerProcess,
  found: FoundServer,
  signal: AbortSignal,
): Promise<LanguageClient> {
  const { connection } = process;
  const { root, workspace, language, program } = found;
  const name = basename(program.path);
  let isWarm = false;
  const offers = createServerOffers();
  const published = createPublishedDiagnostics();
  const work = followWork(connection);
  const scan = createFileScan({ directory: workspace, isWatched: watchedNames(language) });
  answerServerRequests(connection, { root, offers });
  connection.onNotification("textDocument/publishDiagnostics", (params: PublishParams) =>
    published.take(params),
  );
  connection.listen();

  const notify = (method: string, params: object): void => {
    if (process.isRunning) void connection.sendNotification(method, params).catch(() => {});
  };
  const request = <Answer>(method: string, params: object, by: AbortSignal): Promise<Answer> =>
    ask<Answer>({ process, name, method, params }, by);

  // Before the server looks at the files, so that no change falls in between.
  await scan();
  const folder = toFolder(root);
  const { capabilities = {} } =
    (await request<InitializeResult | null>(
      "initialize",
      {
        // A sandbox has other numbers, and the server would miss us there.
        processId: null,
        clientInfo: { name: "haft" },
        rootUri: folder.uri,
        rootPath: root,
        workspaceFolders: [folder],
        capabilities: clientCapabilities,
        ...(program.options !== undefined && { initializationOptions: program.options }),
      },
      signal,
    )) ?? {};
  offers.declare(capabilities);
  notify("initialized", {});
  const documents = createOpenDocuments(notify, tellsSaves(capabilities.textDocumentSync));

  return {
    name,
    offers,
    encoding: toEncoding(capabilities.positionEncoding),
    documents,
    published,
    work,
    catchUp: async (path) => {
      const events = await scan();
      documents.dropChanged(events, path);
      if (events.length > 0) {
        notify("workspace/didChangeWatchedFiles", {
          changes: events.map((event) => ({
            uri: pathToFileURL(event.path).href,
            type: event.type,
          })),
        });
      }
      return events;
    },
    get isWarm() {
      return isWarm;
    },
    request: async (method, params, by) => {
      const answer = await request<never>(method, params, by);
      isWarm = true;
      return answer;
    },
    close: async () => {
      process.expectEnd();
      // Who closes waits for the end: until then the program is a reason to stay.
      process.keepAlive(true);
      if (process.isRunning) {
        const late = AbortSignal.timeout(closeGraceMs);
        await request("shutdown", {}, late).catch(() => {});
        notify("exit", {});
        // Some go only when nothing more can come.
        connection.end();
        await Promise.race([process.ended, untilAborted(late)]);
      }
      await process.stop();
    },
  };
}

interface Ask {
  readonly process: ServerProcess;
  readonly name: string;
  readonly method: string;
  readonly params: object;
}

async function ask<Answer>(
  { process, name, method, params }: Ask,
  signal: AbortSignal,
): Promise<Answer> {
  const cancelled = (): ToolError =>
    new ToolError("cancelled", `${name} had not answered ${method} when the call was aborted.`);
  if (signal.aborted) throw cancelled();
  const ended = process.ended.then((how) => {
    throw new ServerEnded(how);
  });
  ended.catch(() => {});
  if (!process.isRunning) return ended;
  const source = new CancellationTokenSource();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => {
    source.cancel();
    aborted.reject(cancelled());
  };
  signal.addEventListener("abort", abort, { once: true });
  try {
    const answer = connectionAnswer<Answer>({ process, name, method, params }, source);
    return await Promise.race([answer, ended, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    source.dispose();
  }
}

async function connectionAnswer<Answer>(
  { process, name, method, params }: Ask,
  { token }: CancellationTokenSource,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await process.connection.sendRequest<Answer>(method, params, token);
    } catch (error) {
      // Without a process there is no answer: how it ended tells more.
      if (!process.isRunning) throw new ServerEnded(await process.ended);
      const code = error instanceof ResponseError ? error.code : undefined;
      const isPassing = code === contentModified || code === serverCancelled;
      if (!isPassing || attempt === mostAttempts || token.isCancellationRequested) {
        const why = error instanceof Error ? error.message : String(error);
        throw new ToolError("failed", `${name} answered ${method} with an error: ${why}`);
      }
    }
  }
}

const contentModified = -32801;
const serverCancelled = -32802;
const mostAttempts = 5;

function tellsSaves(sync: unknown): boolean {
  return typeof sync === "object" && sync !== null && "save" in sync && Boolean(sync.save);
}

function toEncoding(said: string | undefined): PositionEncoding {
  return said === "utf-8" || said === "utf-32" ? said : "utf-16";
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
