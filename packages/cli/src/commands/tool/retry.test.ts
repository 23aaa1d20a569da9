import { expect, it } from "vitest";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";
import { replyEvents, type WireHandler, wireTool } from "../../test-support/wire/wire-platform.ts";

const { id } = wireTool("word_count");
const [old, unknown] = ["a".repeat(24), "b".repeat(24)];
const none = { retried_as: null, version: null };
const done = {
  ...{ invocation_id: old, retried_as: "c".repeat(24), status: "failed", version: "1.3.0" },
  detail: "RangeError: too long",
};
const skipped = { ...none, invocation_id: unknown, status: "skipped", detail: "There is none." };
const counts = { succeeded: 0, failed: 1, skipped: 1, has_more: true };

const answer: WireHandler = ({ path }, response) =>
  path.endsWith("/retry") &&
  replyEvents(response, [
    ["status", { input_index: 0, event: { ...done, total: 2 } }],
    ["result", { retries: [skipped, done], ...counts }],
  ]);

async function open() {
  const wire = await serveWire(answer);
  const { haft } = createTestWorkspace();
  const run = (...words: string[]) =>
    haft(["tool", "retry", ...words], { environment: wire.environment });
  return { ...wire, run };
}

it("repeats what failed lately and shows what became of each invocation", async () => {
  const { run, requests } = await open();
  const before = Date.now() - 2 * 3_600_000;
  const words = ["word_count", "--failed", "--since", "2h", "--version", "1.3.0", "--limit", "5"];
  const ran = await run(...words, "--set", "order.id:=7", "--set", "name=a=b", "--without-context");
  expect(ran.exitCode).toBe(1);
  expect(ran.stdout.split("\n")).toEqual([
    `1/2  failed     ${old} → ${done.retried_as}  1.3.0  RangeError: too long`,
    `skipped    ${unknown}  There is none.`,
    "",
  ]);
  expect(ran.stderr).toContain("0 succeeded, 1 failed, 1 skipped\nhaft: there are more.");
  const body = requests.at(-1)?.body as { since: string };
  expect(body).toMatchObject({
    ...{ tool_id: [id], version: "1.3.0", limit: 5, dry_run: false, allow_missing_context: true },
    set: [
      { path: "order.id", value: 7 },
      { path: "name", value: "a=b" },
    ],
  });
  expect(Math.abs(Date.parse(body.since) - before)).toBeLessThan(60_000);
});

it.each([
  [[], "--failed --since 2h"],
  [["word_count"], "--failed --since 2h"],
  [["--failed"], "--since 2h"],
  [["--failed", "--since", "yesterday"], "(30m, 2h, 7d)"],
  [[old, "--set", "a:={"], "not valid JSON"],
  [[old, "--set", "a"], "PATH=TEXT"],
])("refuses %j and names the option", async (words, message) => {
  const { run, requests } = await open();
  const ran = await run(...words);
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  expect(requests).toEqual([]);
});
