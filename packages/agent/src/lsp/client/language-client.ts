import { existsSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { CancellationTokenSource, ResponseError } from "vscode-jsonrpc/node";
import { directoriesUpTo } from "../find/find-root.ts";
import type { FoundServer } from "../find/find-server.ts";
import type { Language } from "../find/language.ts";
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
import { untilQuiet } from "./until-quiet.ts";
import { followWork, type WorkProgress } from "./work-progress.ts";

/** A client of a running language server. */
export interface LanguageClient {
  /** The program's name. */
  readonly name: string;
  readonly offers: ServerOffers;
  /** Whether it has answered a request. Before that, it may still be loading the project. */
  readonly isWarm: boolean;
  readonly encoding: PositionEncoding;
  readonly documents: OpenDocuments;
  readonly published: PublishedDiagnostics;
  readonly work: WorkProgress;
  /** The name of the file that lists those of the project, if there should be one and is none. */
  readonly missingIndex: string | undefined;
  /** Waits until the server seems to have loaded what it was shown. */
  untilQuiet(signal: AbortSignal): Promise<void>;
  /** Tells the server about files that changed since the last call. `path` is excluded, because it is opened next. */
  catchUp(path: string | undefined): Promise<readonly FileEvent[]>;
  /** Sends a request. Throws `ServerEnded` if the server is gone, `cancelled` if the signal is aborted. */
  request<Answer>(method: string, params: object, signal: AbortSignal): Promise<Answer>;
  /** Asks the server to exit, and kills it if it does not. */
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

/** A started server, and how long it must send nothing to count as quiet, in milliseconds. */
export interface StartedServer {
  readonly process: ServerProcess;
  readonly quietMs: number;
}

/** Initializes a server and waits until it is ready. */
export async function openLanguageClient(
  { process, quietMs }: StartedServer,
  found: FoundServer,
  signal: AbortSignal,
): Promise<LanguageClient> {
  const { connection, followMessages } = process;
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

  // Before the server reads the files, so that no change is missed.
  await scan();
  const folder = toFolder(root);
  const { capabilities = {} } =
    (await request<InitializeResult | null>(
      "initialize",
      {
        // Process IDs differ in a sandbox: the server would not find ours and exit.
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
    get missingIndex() {
      return language.index === undefined || hasIndex(language.index, found)
        ? undefined
        : language.index;
    },
    untilQuiet: (by) => untilQuiet({ work, followMessages, quietMs }, by),
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
      // The caller waits for the exit: until then the child must keep the process alive.
      process.keepAlive(true);
      if (process.isRunning) {
        const late = AbortSignal.timeout(closeGraceMs);
        await request("shutdown", {}, late).catch(() => {});
        notify("exit", {});
        // Some servers exit only when their input is closed.
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
    new ToolError("cancelled", `The call was aborted before ${name} answered ${method}.`);
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
      // If the process has ended, its exit explains more than the lost response.
      if (!process.isRunning) throw new ServerEnded(await process.ended);
      const code = error instanceof ResponseError ? error.code : undefined;
      const isPassing = code === contentModified || code === serverCancelled;
      if (!isPassing || attempt === maxAttempts || token.isCancellationRequested) {
        const why = toErrorMessage(error);
        throw new ToolError("failed", `${name} answered ${method} with an error: ${why}`);
      }
    }
  }
}

const contentModified = -32801;
const serverCancelled = -32802;
const maxAttempts = 5;

// A build directory has it while the project's own has none.
function hasIndex(name: string, { root, top }: FoundServer): boolean {
  return directoriesUpTo(top, join(root, name)).some(
    (directory) => existsSync(join(directory, name)) || existsSync(join(directory, "build", name)),
  );
}

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

/** Returns a predicate for the files whose changes a language's server wants to know. */
function watchedNames({ files, markers }: Language): (name: string) => boolean {
  const names = new Set([...Object.keys(files), ...markers.flat()]);
  // TypeScript projects have several configuration files, and import JSON.
  const wantsJson = names.has("tsconfig.json");
  return (name) => {
    const extension = extname(name).toLowerCase();
    return names.has(name) || names.has(extension) || (wantsJson && extension === ".json");
  };
}
