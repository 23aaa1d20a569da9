import { expect, it } from "vitest";
import { createPlatformClient } from "./create-platform-client.ts";
import { sendJson, serveAnswers } from "./test-support/serve-answers.ts";

const organization = "a".repeat(24);
const id = "b".repeat(24);

it("waits for an invocation across broken connections, and reports each event once", async () => {
  let connections = 0;
  const { url, asked } = await serveAnswers((one, response) => {
    if (one.url.endsWith("/status")) {
      const state = connections > 2 ? "ended" : "waiting";
      sendJson(response, 200, { id, state, result: null });
      return;
    }
    connections += 1;
    const after = Number(one.headers["last-event-id"]);
    const names = ["state", "status", "state", "result"];
    const some = names.slice(after, connections > 2 ? undefined : after + 1);
    const text = some.map(
      (event, index) => `id: ${after + index + 1}\nevent: ${event}\ndata: {}\n\n`,
    );
    response.writeHead(200, { "content-type": "text/event-stream" });
    // The second connection breaks in the middle.
    if (connections === 2) response.write(text.join(""), () => response.destroy());
    else response.end(text.join(""));
  });
  const client = createPlatformClient({ url, apiKey: "key", organization });
  const events: number[] = [];
  const ended = await client.invocations.wait(id, { onEvent: (event) => events.push(event.id) });
  expect(ended.state).toBe("ended");
  expect(events).toEqual([1, 2, 3]);
  const streams = asked.filter((one) => one.url.endsWith("/events"));
  expect(streams.map(({ headers }) => headers["last-event-id"])).toEqual(["0", "1", "2"]);
});
