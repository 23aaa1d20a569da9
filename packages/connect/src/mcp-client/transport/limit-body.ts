/**
 * A response whose body fails as soon as one message in it is over-long: the whole of it, or of a
 * stream of events what stands between two empty lines.
 */
export function limitBody(response: Response, longest: number): Response {
  if (response.body === null) return response;
  const isStream = /^text\/event-stream\b/iu.test(response.headers.get("content-type") ?? "");
  let length = 0;
  let atLineStart = false;
  const limited = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        if (isStream) {
          for (const byte of bytes) {
            length++;
            if (byte === carriageReturn) continue;
            if (byte === lineFeed && atLineStart) length = 0;
            atLineStart = byte === lineFeed;
          }
        } else length += bytes.length;
        if (length <= longest) controller.enqueue(bytes);
        else controller.error(new Error(`it sent a message of more than ${longest} bytes`));
      },
    }),
  );
  const copy = new Response(limited, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
  // The library asks where a response came from, which no new one tells.
  Object.defineProperty(copy, "url", { value: response.url });
  Object.defineProperty(copy, "redirected", { value: response.redirected });
  return copy;
}

const lineFeed = 10;
const carriageReturn = 13;
