/**
 * Returns a response whose body fails once a message in it is too long. A message is the whole body,
 * or in an event stream the lines between two empty lines.
 */
export function limitBody(response: Response, maxBytes: number): Response {
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
        if (length <= maxBytes) controller.enqueue(bytes);
        else controller.error(new Error(`it sent a message of more than ${maxBytes} bytes`));
      },
    }),
  );
  const copy = new Response(limited, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
  // The SDK reads the URL of a response, which a new Response lacks.
  Object.defineProperty(copy, "url", { value: response.url });
  Object.defineProperty(copy, "redirected", { value: response.redirected });
  return copy;
}

const lineFeed = 10;
const carriageReturn = 13;
