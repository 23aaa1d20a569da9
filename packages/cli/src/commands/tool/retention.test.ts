import { expect, it } from "vitest";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";
import { type WireHandler, wireTool } from "../../test-support/wire/wire-platform.ts";

const { id } = wireTool("word_count");

it("shows, sets and clears how long invocations are kept", async () => {
  const answer: WireHandler = ({ path, method }, response) => {
    if (!path.endsWith("/retention")) return false;
    const set = { days: 7, count: 50, set_for: "tool" };
    const none = { days: null, count: null, set_for: null };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(method === "PUT" ? set : none));
    return true;
  };
  const { environment, requests } = await serveWire(answer);
  const { haft } = createTestWorkspace();
  const run = (...words: string[]) => haft(["tool", "retention", ...words], { environment });
  const set = await run("word_count", "--days", "7", "--count", "50");
  expect(set.stdout).toBe(
    "Invocations of word_count are kept for 7 days, at most the last 50 of each tool (set for the tool).\n",
  );
  const sent = requests.at(-1);
  expect(sent).toMatchObject({ method: "PUT", body: { days: 7, count: 50 } });
  expect(sent?.path).toContain(`/tool/${id}/retention`);
  const cleared = await run("--clear");
  expect(cleared.stdout).toContain("tools without own limits are kept without a limit");
  expect(requests.at(-1)).toMatchObject({ method: "DELETE" });
  const wrong = await run("--clear", "--days", "7");
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain("Leave out --days and --count");
});
