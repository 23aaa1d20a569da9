import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import type { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import { ToolError } from "@haft/contract";
import type { RunScope } from "@haft/core";
import { besideFile } from "../broker/beside-file.ts";
import type { Layer } from "../layers/layer.ts";
import { layerScript } from "../layers/layer-script.ts";
import { answerQuestions, type RequestEvents } from "./answer-questions.ts";
import type {
  Answer,
  LayerProcessOptions,
  MessageFromLayer,
  MessageToLayer,
  Question,
  RemoteRequest,
  ScopeQuestions,
} from "./messages.ts";
import { createFrameReader, questionDescriptor, toFrame } from "./question-line.ts";
import { fromRemoteError, toRemoteError } from "./remote-error.ts";

/** A process of ours that works on a layer. */
export interface LayerProcess {
  /** Has it call a method for a call of the session. */
  request(
    request: Pick<RemoteRequest, "part" | "method" | "args">,
    scope: RunScope,
    events: RequestEvents,
  ): Promise<unknown>;
  /** Ends it and everything that it started, once running requests have ended or are overdue. */
  end(): Promise<void>;
}

/** How a process is started on a layer. */
export interface LayerProcessStart extends LayerProcessOptions {
  /** What comes before the program: nothing for ordinary users, a program and arguments for root. */
  readonly prefix: readonly string[];
  readonly perl: string;
  readonly layer: Layer;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A request that has no answer yet. */
interface Running extends PromiseWithResolvers<unknown> {
  readonly questions?: ScopeQuestions;
}

const maxComplaintLength = 2_000;
const patienceMs = 5_000;
const openId = 0;

/**
 * Starts a process that sees a layer over the workspace. Throws `unavailable` if the layer can't be
 * mounted.
 */
export async function startLayerProcess(start: LayerProcessStart): Promise<LayerProcess> {
  const { child, ended, keepAlive } = launch(start);
  const running = new Map<number, Running>();
  let lastId = openId;
  let gone: ToolError | undefined;
  let isEnding = false;
  const send = (message: MessageToLayer): void => {
    // A failure to send shows up as the end of the process.
    if (child.connected) child.send(message, () => {});
  };
  const wait = async (id: number, questions?: ScopeQuestions): Promise<unknown> => {
    const request: Running = {
      ...Promise.withResolvers<unknown>(),
      ...(questions && { questions }),
    };
    running.set(id, request);
    keepAlive(true);
    if (gone !== undefined) request.reject(gone);
    try {
      return await request.promise;
    } finally {
      running.delete(id);
      keepAlive(isEnding || running.size > 0);
    }
  };
  child.on("message", (message: MessageFromLayer) => {
    const request = running.get(message.id);
    if ("error" in message) request?.reject(fromRemoteError(message.error));
    else request?.resolve(message.value);
  });
  serveQuestions(child.stdio[questionDescriptor] as Duplex, (id) => running.get(id)?.questions);
  void ended.then((how) => {
    gone = new ToolError("unavailable", `The process that works on the layer has ended: ${how}`);
    for (const { reject } of running.values()) reject(gone);
  });
  const opened = wait(openId);
  send({ type: "open", options: { computer: start.computer, directory: start.directory } });
  await opened;
  return {
    request: async (request, scope, events) => {
      const id = ++lastId;
      const { callId, session, grant, signal } = scope;
      const answer = wait(id, answerQuestions(scope, events));
      try {
        // Files are opened for calls that run no programs, and know no rules for these.
        const fileRules = request.part === "files" ? undefined : scope.fileRules();
        const about = { callId, session, places: grant.places, fileRules };
        send({ type: "request", id, ...request, ...about });
      } catch (error) {
        // An argument that can't be sent.
        running.get(id)?.reject(error);
      }
      const abort = (): void => send({ type: "abort", id, reason: toRemoteError(signal.reason) });
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
      try {
        return await answer;
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
    end: async () => {
      isEnding = true;
      keepAlive(true);
      const overdue = setTimeout(() => child.kill("SIGTERM"), patienceMs);
      await Promise.allSettled(Array.from(running.values(), ({ promise }) => promise));
      clearTimeout(overdue);
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function launch({ prefix, perl, layer, environment }: LayerProcessStart): {
  readonly child: ChildProcess;
  /** Resolves when everything that it started has ended, with what is known about it. */
  readonly ended: Promise<string>;
  /** Whether it keeps this process alive. Default: false. */
  keepAlive(isNeeded: boolean): void;
} {
  const places = layer.roots.map(({ path }) =>
    openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW),
  );
  const words = [
    process.arch,
    "contain",
    `${places.length}`,
    // The layer is mounted over the workspace itself, so that all paths stay the same.
    ...layer.roots.flatMap(({ path, upper, work }, index) => [
      `${firstPlace + index}`,
      ...[path, upper, work, path],
    ]),
  ];
  const script = besideFile(import.meta.url, "layer-host");
  const start = [perl, "-e", layerScript, "--", `${contentDescriptor}`, process.execPath, script];
  const [program = perl, ...args] = [...prefix, ...start];
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd: "/",
      env: environment,
      // Not in our session: Ctrl+C in the terminal must leave us time to apply the layer.
      detached: true,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc", "pipe", "pipe", ...places],
    });
  } finally {
    for (const place of places) closeSync(place);
  }
  const content = (child.stdio as readonly unknown[])[contentDescriptor] as Socket;
  content.unref();
  content.on("error", () => {}).end(`${words.join("\0")}\0`);
  let complaint = "";
  (child.stderr as Readable).setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-maxComplaintLength);
  });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const say = (how: string): void => resolve([how, complaint.trim()].filter(Boolean).join(": "));
  child.once("error", ({ message }) => say(message));
  child.once("close", (code, signal) => say(signal ?? `exit code ${code}`));
  const line = child.stdio[questionDescriptor];
  const handles = [child, child.channel, child.stderr, line] as readonly (Socket | undefined)[];
  const keepAlive = (isNeeded: boolean): void => {
    for (const handle of handles) {
      if (handle === undefined || handle.destroyed) continue;
      if (isNeeded) handle.ref();
      else handle.unref();
    }
  };
  keepAlive(false);
  return { child, ended, keepAlive };
}

const contentDescriptor = 5;
const firstPlace = 6;

/** Answers the questions of the process, one after the other: it waits for each answer. */
function serveQuestions(line: Duplex, find: (id: number) => ScopeQuestions | undefined): void {
  const answer = async ({ id, method, args }: Question): Promise<Answer> => {
    try {
      const questions = find(id);
      if (questions === undefined) throw new ToolError("cancelled", "The call has ended.");
      return {
        value: await (questions[method] as (...args: readonly unknown[]) => unknown)(...args),
      };
    } catch (error) {
      return { error: toRemoteError(error) };
    }
  };
  const take = createFrameReader((question) => {
    void answer(question as Question).then((reply) => line.write(toFrame(reply)));
  });
  // A failure shows up as the end of the process.
  line.on("data", take).on("error", () => {});
}
