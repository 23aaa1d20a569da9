import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { Problem } from "../problem.ts";
import type { Git, GitEnd, GitProcess } from "./git-process.ts";
import { type GitRequest, readGitRequest } from "./git-request.ts";
import { attendPush, type PushAttendant } from "./push-hooks.ts";
import { type BodyEnd, passBody } from "./request-body.ts";

/** One exchange of git's smart HTTP, with the repository that it is about. */
export interface SmartExchange {
  readonly git: Git;
  /** The directory of the repository. */
  readonly path: string;
  /** What follows `/tool/git/` in the address. */
  readonly requestPath: string;
  readonly mostPushBytes: number;
  /** Settings of git that check a push. */
  readonly pushSettings: Readonly<Record<string, string>>;
  /** Is asked about a push that came with this exchange. */
  readonly attendant: PushAttendant;
}

const exchangeMs = 15 * 60_000;
// The list of what a client has and wants.
const mostQuestionBytes = 32 * 1024 * 1024;

/** Answers one request of git's smart HTTP. Throws a `Problem` before anything was answered. */
export async function serveSmartHttp(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: SmartExchange,
): Promise<void> {
  const wanted = readGitRequest(request, exchange.requestPath);
  const process = startService(exchange, wanted);
  const attendant = watchApproval(exchange.attendant);
  const attended = attend(process, attendant);
  const isGone = (): boolean => response.destroyed && !response.writableFinished;
  response.once("close", () => {
    // A push that was approved is finished, and recorded, also for nobody.
    if (!isGone() || attendant.hasApproved()) return;
    process.channel?.destroy();
    process.stop();
  });
  const passed = passRequest(request, process, { exchange, wanted });
  // It is awaited below, which may be later than it fails.
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
    await process.ended.catch(() => {});
    if (isGone()) return;
    if (!response.headersSent) throw error;
    // Half an answer must not look like a whole one.
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
      timeoutMs: exchangeMs,
      endsWithInput: isPush,
      settings: isPush ? exchange.pushSettings : {},
      channel: isPush,
      environment: wanted.protocol === undefined ? {} : { GIT_PROTOCOL: wanted.protocol },
    },
  );
}

async function attend(process: GitProcess, attendant: PushAttendant): Promise<void> {
  if (process.channel === undefined) return;
  try {
    await attendPush(process.channel, attendant);
  } catch (error) {
    // Its hook gets no answer, and refuses the push.
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
  context: { readonly exchange: SmartExchange; readonly wanted: GitRequest },
): Promise<BodyEnd> {
  if (context.wanted.step === "advertise") {
    process.stdin.end();
    return "whole";
  }
  // Git itself stops reading a push that is too large, and tells the client so; twice as much is
  // read so that the client gets to hear it.
  const mostBytes =
    context.wanted.service === "receive-pack"
      ? 2 * context.exchange.mostPushBytes + mostQuestionBytes
      : mostQuestionBytes;
  return await passBody(request, process.stdin, { mostBytes });
}

async function passAnswer(
  output: Readable,
  response: ServerResponse,
  head: () => void,
): Promise<void> {
  for await (const chunk of output as AsyncIterable<Buffer>) {
    if (!response.headersSent && !response.destroyed) head();
    // Read to its end also for nobody: a git that can't write does not tidy up.
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

/** The advertisement begins with the service's name, except in the second version. */
function toPrefix({ step, service, protocol }: GitRequest): string {
  if (step === "exchange" || protocol?.split(":").includes("version=2") === true) return "";
  const line = `# service=git-${service}\n`;
  return `${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`;
}

function refuseFailure(end: GitEnd, body: BodyEnd): void {
  if (body === "broken") throw new Problem(400, "The request's body could not be unpacked.");
  if (body === "too-large") throw new Problem(413, "The request's body is too large.");
  if (end.stopped === "close") throw new Problem(503, "The server is shutting down. Try again.");
  if (end.stopped === "timeout") throw new Problem(503, "It took too long. Ask for less.");
  if (end.code !== 0) throw new Error(`git ended with ${end.code}: ${end.errors}`);
}
