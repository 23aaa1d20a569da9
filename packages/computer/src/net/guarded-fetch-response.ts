import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createDecoder, listCodings } from "./content-codings.ts";
import { explainFailure } from "./explain-failure.ts";
import type { WebRequest } from "./send-request.ts";
import { showUrl } from "./web-url.ts";

/** The request that an answer belongs to. */
export interface AnswerOrigin {
  readonly request: WebRequest;
  readonly signal: AbortSignal;
  readonly isRedirected: boolean;
}

// Responses with these statuses have no body, whatever is sent.
const withoutBody = new Set([204, 205, 304]);

/** Converts an answer to a web `Response`, whose body streams. */
export function toResponse(answer: IncomingMessage, origin: AnswerOrigin): Response {
  const { request, isRedirected } = origin;
  const status = answer.statusCode ?? 0;
  const isBare = request.method === "HEAD" || withoutBody.has(status);
  const isEmpty = answer.headers["content-length"] === "0";
  // Nothing is left to read: free the connection.
  if (isBare || isEmpty) answer.resume();
  const response = new Response(isBare ? null : isEmpty ? "" : streamBody(answer, origin), {
    status,
    statusText: answer.statusMessage ?? "",
    headers: readHeaders(answer),
  });
  // The constructor takes neither of these.
  Object.defineProperty(response, "url", { value: request.target.url.href });
  Object.defineProperty(response, "redirected", { value: isRedirected });
  return response;
}

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  }
  return headers;
}

function streamBody(
  answer: IncomingMessage,
  { request, signal }: AnswerOrigin,
): ReadableStream<Uint8Array> {
  const chunks = decode(answer)[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { value, done } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
        } catch (error) {
          const failure = explainFailure(error, showUrl(request.target));
          const broken = new TypeError(failure.message, { cause: failure });
          controller.error(signal.aborted ? signal.reason : broken);
        }
      },
      cancel: () => {
        answer.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

function decode(answer: IncomingMessage): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const decoders = listCodings(answer).toReversed().map(createDecoder);
  if (decoders.length === 0) return answer;
  return pipeline([answer, ...decoders], () => {}) as unknown as AsyncIterable<
    Uint8Array<ArrayBuffer>
  >;
}
