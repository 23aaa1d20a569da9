// The script of a worker for JavaScript tools. It runs inside the sandbox, where this directory is
// the only part of Haft that is visible. So it imports nothing from outside.
import { AsyncLocalStorage } from "node:async_hooks";
import { Readable, Writable } from "node:stream";
import type { PrintedStream } from "../printed-output.ts";
import type { Ending, LoadMessage, RunMessage } from "../worker-messages.ts";
import { callTool } from "./call-tool.ts";
import { describeError } from "./describe-error.ts";
import { createDurableRun, type DurableRun } from "./durable-calls.ts";
import { explainLookups, explainProxyRefusals } from "./explain-network.ts";
import { type Leftovers, openResources, watchLeftovers } from "./leftovers.ts";
import { compileTool, prepareLoading, type RunTool, type ToolCode } from "./load-tool.ts";
import { openProtocol } from "./protocol.ts";
import { openRunDelay } from "./run-delay.ts";
import { recordSharedState, type SharedState } from "./shared-state.ts";
import { keepTimers, trackTimers } from "./timers.ts";
import { createStatusSender, createToolLog } from "./tool-voice.ts";

const { hrtime } = process;
const later = setImmediate;
const readResident = process.memoryUsage.rss;
const callsPerLook = 64;
const closingTurns = 2;
// Calls that take longer may be waiting for the processor.
const slowMs = 1;
const runDelay = openRunDelay(slowMs);
// What an invocation stores in its asynchronous context must not reach the next one.
const outside = AsyncLocalStorage.snapshot();

/** The running invocation. */
let current: RunMessage | undefined;
let durable: DurableRun | undefined;
let startedAt = 0;
let calls = 0;
let isUnclean = false;
let isBusy = true;
let code: ToolCode | undefined;
let tool: Promise<RunTool> | undefined;
/** Whether invocations share the tool's modules and all that they change. */
let isReused = false;
let sourceMap: string | undefined;
/** What errors say after the name of a host, if there is no network. */
let refusal: string | undefined;
let config: Readonly<Record<string, string>> = Object.freeze({});
let leftovers: Leftovers | undefined;
let shared: SharedState | undefined;
const waiting: RunMessage[] = [];

for (const [name, value] of Object.entries(process.env)) if (value === "") delete process.env[name];
await prepareLoading((name) => shared?.add(name));
const protocol = openProtocol((message) => {
  if (message.kind === "load") load(message);
  else if (message.kind === "journal") {
    if (current?.number === message.number) durable?.hear(message);
  } else {
    waiting.push(message);
    if (!isBusy) next();
  }
});
const log = createToolLog((message) => protocol.send(message), now);
redirectStreams((stream, text) => {
  if (current !== undefined && !durable?.isReplaying()) log.write(stream, text);
});
process.on("exit", () => log.flush());
trackTimers();
explainProxyRefusals();
explainLookups(() => refusal);
// An unhandled error fails the running invocation and ends the worker after it.
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (thrown: unknown) => {
    isUnclean = true;
    if (current === undefined) protocol.send({ kind: "unclean", reason: "an exception" });
    else fail(current, thrown);
  });
}

shared = recordSharedState();

function load({ artifact, isReused: isShared, refusal: text }: LoadMessage): void {
  if (artifact.runtime !== "node") throw new TypeError("This worker runs JavaScript only.");
  isReused = isShared;
  refusal = text;
  sourceMap = artifact.sourceMap;
  later(() => {
    if (!isReused) {
      shared?.seal();
      leftovers = watchLeftovers();
    }
    tool = (async () => {
      code = compileTool(artifact);
      return code.evaluate();
    })();
    // The first invocation reports why loading failed.
    void tool
      .catch(() => {})
      .then(() =>
        later(() => {
          if (isReused) {
            keepTimers();
            leftovers = watchLeftovers();
          }
          isBusy = false;
          next();
        }),
      );
  });
}

function next(): void {
  const message = waiting.shift();
  if (message === undefined || isUnclean) return;
  if (message.config !== undefined) config = Object.freeze(message.config);
  if (message.lease !== undefined && now() >= message.lease) {
    protocol.send({ kind: "returned", number: message.number });
    next();
    return;
  }
  isBusy = true;
  current = message;
  log.begin(message.number);
  runDelay.begin();
  startedAt = now();
  void run(message);
}

async function run(message: RunMessage): Promise<void> {
  try {
    const runTool = await (tool as Promise<RunTool>).catch((error: unknown) => {
      isUnclean = true;
      throw error;
    });
    const ownRun = openDurable(message);
    durable = ownRun;
    const sendStatusEvent = createStatusSender((event) => {
      if (current === message && !ownRun.isReplaying()) {
        protocol.send({ kind: "status", number: message.number, event });
      }
    });
    const output = await callTool(message, {
      runTool,
      config,
      sendStatusEvent,
      durable: ownRun.calls,
    });
    if (current !== message) return;
    const divergence = ownRun.findDivergence();
    if (divergence !== undefined) throw divergence;
    log.flush();
    protocol.send({ kind: "result", number: message.number, output, ...describeEnd() });
    end();
  } catch (error) {
    if (current === message) fail(message, error);
  }
}

function openDurable(message: RunMessage): DurableRun {
  const { number } = message;
  const ifCurrent = (act: () => void): void => {
    if (current === message) act();
  };
  return createDurableRun(message.journal, {
    begin: (step) => ifCurrent(() => protocol.send({ kind: "step-begin", number, ...step })),
    end: (position, result) =>
      ifCurrent(() => protocol.send({ kind: "step-end", number, position, result })),
    fail: (error) => ifCurrent(() => fail(message, error)),
    suspend: (waits) =>
      ifCurrent(() => {
        log.flush();
        protocol.send({ kind: "suspended", number, waits, ...describeEnd() });
        end();
      }),
  });
}

function fail({ number }: RunMessage, thrown: unknown): void {
  const failure = describeError(thrown, sourceMap);
  log.flush();
  protocol.send({ kind: "failure", number, failure, ...describeEnd() });
  end();
}

function describeEnd(): Ending {
  const ms = now() - startedAt;
  const delayMs = runDelay.end(ms);
  const isToLook = calls++ % callsPerLook === 0;
  return {
    ms,
    ...(delayMs !== undefined && { delayMs }),
    ...(isToLook && { residentMb: readResident() / 1024 / 1024 }),
  };
}

// Deferred, so that unhandled rejections surface first.
function end(): void {
  current = undefined;
  durable = undefined;
  later(() => prepareNext(closingTurns));
}

function prepareNext(turns: number): void {
  const left = clear();
  if (left === openResources && turns > 0) {
    later(() => prepareNext(turns - 1));
    return;
  }
  if (left !== undefined) {
    isUnclean = true;
    protocol.send({ kind: "unclean", reason: left });
    return;
  }
  outside(() => {
    if (!isReused) renew();
    isBusy = false;
    next();
  });
}

/** Removes what the invocation left behind. Returns what could not be removed. */
function clear(): string | undefined {
  if (isUnclean) return "an exception";
  if (!isReused) {
    if (!code?.isRepeatable) return "modules";
    if (!shared?.restore()) return "changes to Node";
  }
  return leftovers?.clear();
}

/** Evaluates the tool's modules for the next invocation, before it is there. */
function renew(): void {
  tool = code?.evaluate();
  tool?.catch(() => {});
}

/** The machine's monotonic clock, which all processes share. */
function now(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** Sends what the tool prints to `log`, and makes standard input empty. */
function redirectStreams(log: (stream: PrintedStream, text: string) => void): void {
  const redirect = (name: PrintedStream, fd: number): void => {
    const stream = Object.assign(
      new Writable({
        decodeStrings: false,
        write: (chunk: Buffer | string, _encoding, done) => {
          log(name, typeof chunk === "string" ? chunk : chunk.toString("utf8"));
          done();
        },
      }),
      { fd },
    );
    Object.defineProperty(process, name, { configurable: true, get: () => stream });
  };
  redirect("stdout", 1);
  redirect("stderr", 2);
  const nothing = Readable.from([]);
  Object.defineProperty(process, "stdin", { configurable: true, get: () => nothing });
}
