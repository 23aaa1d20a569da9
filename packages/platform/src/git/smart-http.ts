import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { Problem } from "../problem.ts";
import type { Git, GitEnd, GitProcess } from "./git-process.ts";
import { type GitRequest, readGitRequest } from "./git-request.ts";
import { attendPush, type PushAttendant } from "./push-hooks.ts";
import { maxPushDataBytes } from "./push-memory.ts";
import type { PushTurns } from "./push-turns.ts";
import { type BodyEnd, passBody, passStream } from "./request-body.ts";
import { type SpooledBody, spoolBody } from "./spool-body.ts";

/** One exchange of git's smart HTTP with a repository. */
export interface SmartExchange {
  readonly git: Git;
  /** The directory of the repository. */
  readonly path: string;
  /** What follows `/tool/git/` in the URL. */
  readonly requestPath: string;
  readonly organization: string;
  readonly turns: PushTurns;
  /** The directory for the body of a push while it arrives. */
  readonly spool: string;
  readonly maxPushBytes: number;
  /** The git settings that check a push. */
  readonly pushSettings: Readonly<Record<string, string>>;
  /** Checks and records a push of this exchange. */
  readonly attendant: PushAttendant;
}

const exchangeMs = 15 * 60_000;
// Shorter, because the push has already arrived and others wait.
const pushMs = 5 * 60_000;
// Git allocates this much for files that it streams.
const minAllocationBytes = 32 * 1024 * 1024;
// Maximum size of a fetch request: the commits that a client has and wants.
const maxQuestionBytes = 32 * 1024 * 1024;

/**
 * Answers one request of git's smart HTTP. Throws a `Problem` only before the response has started.
 */
export async function serveSmartHttp(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: SmartExchange,
): Promise<void> {
  const wanted = readGitRequest(request, exchange.requestPath);
  if (wanted.service !== "receive-pack" || wanted.step === "advertise") {
    await exchangeWith({ request, response, exchange, wanted });
    return;
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  // Git itself stops reading a push that is too large and tells the client. Up to twice as much is
  // read, so that the client gets the message.
  const maxBytes = 2 * exchange.maxPushBytes + maxQuestionBytes;
  const spooled = await spoolBody(request, { directory: exchange.spool, maxBytes });
  try {
    if (spooled.end === "broken") throw brokenBody();
    const endTurn = await exchange.turns.take(exchange.organization, gone.signal);
    try {
      await exchangeWith({ request, response, exchange, wanted, spooled });
    } finally {
      endTurn();
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    spooled.close();
  }
}

interface Exchanging {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly exchange: SmartExchange;
  readonly wanted: GitRequest;
  /** The body, if it was already received. */
  readonly spooled?: SpooledBody;
}

async function exchangeWith({
  request,
  response,
  exchange,
  wanted,
  spooled,
}: Exchanging): Promise<void> {
  const process = startService(exchange, wanted);
  const attendant = watchApproval(exchange.attendant);
  const attended = attend(process, attendant);
  const isGone = (): boolean => response.destroyed && !response.writableFinished;
  response.once("close", () => {
    // An approved push is finished and recorded even if the client has disconnected.
    if (!isGone() || attendant.hasApproved()) return;
    process.channel?.destroy();
    process.stop();
  });
  const passed =
    spooled === undefined ? passRequest(request, process, wanted) : passSpooled(spooled, process);
  // Awaited below. Avoids an unhandled rejection if it fails before that.
  attended.catch(() => {});
  const kind = wanted.step === "advertise" ? "advertisement" : "result";
  const prefix = toPrefix(wanted);
  const head = (): void => {
    response.writeHead(200, {
      "content-type": `application/x-git-${wanted.service}-${kind}`,
      "cache-control": "no-cache, max-age=0, must-revalidate",
      "x-content-type-options": "nosniff",
    });
    response.write(prefix);
  };
  try {
    await passAnswer(process.stdout, response, head);
    const [end, body] = await Promise.all([process.ended, passed, attended]);
    if (isGone()) return;
    if (!response.headersSent) {
      refuseFailure(end, body);
      head();
    }
    response.end(() => {
      if (body === "too-large") request.destroy();
    });
  } catch (error) {
    process.stop();
    // The spooled body must stay open until both have ended.
    await Promise.all([process.ended.catch(() => {}), passed]);
    if (isGone()) return;
    if (!response.headersSent) throw error;
    // A partial response must not look complete.
    response.destroy();
    if (!(error instanceof Problem)) throw error;
  }
}

function startService(exchange: SmartExchange, wanted: GitRequest): GitProcess {
  const isPush = wanted.service === "receive-pack";
  return exchange.git.start(
    [
      wanted.service,
      ...(isPush ? [] : ["--strict"]),
      "--stateless-rpc",
      ...(wanted.step === "advertise" ? ["--advertise-refs"] : []),
      "--",
      exchange.path,
    ],
    {
      timeoutMs: isPush ? pushMs : exchangeMs,
      endsWithInput: isPush,
      settings: isPush ? exchange.pushSettings : {},
      channel: isPush,
      environment: {
        ...(wanted.protocol !== undefined && { GIT_PROTOCOL: wanted.protocol }),
        // Limits the size of an object, even if it is stored as a small delta.
        ...(isPush && {
          GIT_ALLOC_LIMIT: `${Math.max(exchange.maxPushBytes, minAllocationBytes)}`,
        }),
      },
      ...(isPush && { maxDataBytes: maxPushDataBytes(exchange.maxPushBytes) }),
    },
  );
}

async function attend(process: GitProcess, attendant: PushAttendant): Promise<void> {
  if (process.channel === undefined) return;
  try {
    await attendPush(process.channel, attendant);
  } catch (error) {
    // The hook gets no answer and refuses the push.
    process.channel.destroy();
    const { stopped } = await process.ended;
    if (stopped === undefined) throw error;
  }
}

function watchApproval(attendant: PushAttendant): PushAttendant & { hasApproved(): boolean } {
  let approved = false;
  return {
    ...attendant,
    check: async (push) => {
      const complaint = await attendant.check(push);
      approved = complaint === undefined;
      return complaint;
    },
    hasApproved: () => approved,
  };
}

async function passRequest(
  request: IncomingMessage,
  process: GitProcess,
  { step }: GitRequest,
): Promise<BodyEnd> {
  if (step === "advertise") {
    process.stdin.end();
    return "whole";
  }
  return await passBody(request, process.stdin, { maxBytes: maxQuestionBytes });
}

async function passSpooled(spooled: SpooledBody, { stdin }: GitProcess): Promise<BodyEnd> {
  await passStream(spooled.read(), stdin, { maxBytes: Number.POSITIVE_INFINITY });
  return spooled.end;
}

async function passAnswer(
  output: Readable,
  response: ServerResponse,
  head: () => void,
): Promise<void> {
  for await (const chunk of output as AsyncIterable<Buffer>) {
    if (!response.headersSent && !response.destroyed) head();
    // Read to the end even if the client has disconnected: a git that can't write does not clean
    // up.
    if (!response.destroyed && !response.write(chunk)) {
      await new Promise<void>((resolve) => {
        const settle = (): void => {
          response.off("drain", settle).off("close", settle);
          resolve();
        };
        response.on("drain", settle).on("close", settle);
      });
    }
  }
}

/** Returns the service line that starts an advertisement, except in protocol version 2. */
function toPrefix({ step, service, protocol }: GitRequest): string {
  if (step === "exchange" || protocol?.split(":").includes("version=2") === true) return "";
  const line = `# service=git-${service}\n`;
  return `${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`;
}

const malformed = /^fatal: (?:protocol error|error: unsupported|malformed|bad line)/mu;

function brokenBody(): Problem {
  return new Problem(400, "The request's body could not be decompressed. Push again.");
}

function refuseFailure(end: GitEnd, body: BodyEnd): void {
  if (body === "broken") throw brokenBody();
  if (body === "too-large")
    throw new Problem(
      413,
      "The request's body is too large. Fetch or push fewer commits at a time.",
    );
  if (end.stopped === "close") throw new Problem(503, "The server is shutting down. Try again.");
  if (end.stopped === "timeout")
    throw new Problem(503, "The request took too long. Fetch or push fewer commits at a time.");
  if (malformed.test(end.errors)) {
    throw new Problem(400, "The request is not a valid git request. Use git to fetch and push.");
  }
  if (end.code !== 0) throw new Error(`git ended with ${end.code}: ${end.errors}`);
}
