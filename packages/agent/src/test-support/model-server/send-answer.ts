import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { ModelAnswer } from "./model-answer.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ModelWire, WireAnswer, WireError } from "./wire.ts";

/** An answer, and whom it is for. */
export interface Sending {
  readonly wire: ModelWire;
  readonly request: ModelRequest;
  readonly answer: ModelAnswer;
  /** Counts the answers, from 1 on. */
  readonly number: number;
}

/** Sends an answer as its provider would, or breaks off as it was told to. */
export async function sendAnswer(response: ServerResponse, sending: Sending): Promise<void> {
  const { wire, request, answer } = sending;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  if (answer.delayMs !== undefined) {
    await wait(answer.delayMs, undefined, { signal: gone.signal }).catch(() => undefined);
  }
  if (gone.signal.aborted) return;
  if (answer.status !== undefined) return sendJson(response, answer, toErrorBody(sending));
  const whole = toWireAnswer(sending);
  if (request.isStreamed) await sendEvents(response, sending, wire.stream(whole, request.body));
  else if (answer.hang || answer.hangAfter !== undefined) response.flushHeaders();
  else if (answer.dropAfter !== undefined) response.destroy();
  else sendJson(response, answer, wire.whole(whole, request.body));
}

function sendJson(response: ServerResponse, answer: ModelAnswer, body: unknown): void {
  const headers = { "content-type": "application/json", ...answer.headers };
  response.writeHead(answer.status ?? 200, headers).end(JSON.stringify(body));
}

async function sendEvents(
  response: ServerResponse,
  { wire, answer }: Sending,
  events: readonly string[],
): Promise<void> {
  const { dropAfter, failAfter, endAfter } = answer;
  const hangAfter = answer.hang ? 0 : answer.hangAfter;
  response.writeHead(200, { "content-type": "text/event-stream", ...answer.headers });
  const sent = events.slice(0, dropAfter ?? failAfter ?? hangAfter ?? endAfter);
  if (dropAfter === undefined && failAfter === undefined && hangAfter === undefined) {
    const ended = untilEnded(response);
    // Each by itself, as it comes from a model, but for what the socket has no room for.
    for (const event of sent) {
      if (!response.write(event)) await Promise.race([untilDrained(response), ended]);
    }
    response.end();
    return;
  }
  response.flushHeaders();
  await new Promise<void>((resolve) => response.write(sent.join(""), () => resolve()));
  if (dropAfter !== undefined) response.destroy();
  else if (failAfter !== undefined) response.end(wire.streamError(toWireError(answer, 529)));
}

function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("drain", resolve);
  });
}

async function untilEnded(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, "close");
}

function toErrorBody({ wire, answer }: Sending): unknown {
  const isWhole = typeof answer.error === "object" && answer.error !== null;
  return isWhole ? answer.error : wire.error(toWireError(answer, 500));
}

function toWireError({ status, error }: ModelAnswer, otherwise: number): WireError {
  return {
    status: status ?? otherwise,
    message: typeof error === "string" ? error : "The scripted model fails as it was told to.",
  };
}

function toWireAnswer({ answer, number, request }: Sending): WireAnswer {
  const { text = [], reasoning, calls = [], usage } = answer;
  const deltas = typeof text === "string" ? [text] : text;
  return {
    number,
    model: request.model,
    deltas: deltas.filter((delta) => delta !== ""),
    reasoning,
    calls: calls.map(({ id, name, arguments: given }, index) => ({
      id: id ?? `call_${number}_${index + 1}`,
      name,
      arguments: typeof given === "string" ? given : JSON.stringify(given ?? {}),
    })),
    usage: { input: usage?.input ?? 10, output: usage?.output ?? 5, cached: usage?.cached ?? 0 },
    finish: answer.finish ?? (calls.length > 0 ? "tool-calls" : "stop"),
  };
}
