import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";
import { reply, wireTool } from "../../test-support/wire/wire-platform.ts";

const { id } = wireTool("word_count");
const schedule = {
  ...{ id: "5".repeat(24), name: "mornings", tool_id: id, tool_name: "word_count" },
  ...{ version: "latest", cron: "0 6 * * *", time_zone: "Europe/Berlin", input: { text: "a" } },
  ...{ missed: "run", overlap: "skip", state: "active", pause_reason: null, user_id: "u" },
  ...{ api_key_id: "k", created_at: "2026-01-01T00:00:00.000Z" },
  ...{ updated_at: "2026-01-01T00:00:00.000Z", next_time: "2026-01-02T05:00:00.000Z" },
};
const run = { id: "1", missed: 0, detail: null, created_at: "2026-01-01T05:00:00.100Z" };
const runs = [
  {
    ...{ ...run, time: "2026-01-01T05:00:00.000Z", state: "refused", invocation_id: null },
    ...{ succeeded: null, detail: "No \u001b[1mpermission." },
  },
  {
    ...{ ...run, time: null, state: "started", invocation_id: "i1", succeeded: true },
  },
];

async function open() {
  const wire = await serveWire(({ method, path }, response) => {
    if (method === "POST" && path === `/tool/${id}/schedule`) return reply(response, 201, schedule);
    if (!path.startsWith("/tool/schedule/")) return false;
    if (path === "/tool/schedule/") return reply(response, 200, { schedules: [schedule] });
    if (method === "DELETE") return reply(response, 204);
    if (path.endsWith("/run")) return reply(response, 202, { ...runs[1], succeeded: null });
    if (path.endsWith("/pause")) return reply(response, 200, { ...schedule, state: "paused" });
    return reply(response, 200, { ...schedule, runs });
  });
  const { haft } = createTestWorkspace();
  const command = (...words: readonly string[]) =>
    haft(["tool", "schedule", ...words], { environment: wire.environment });
  return { ...wire, command };
}

describe("haft tool schedule", () => {
  it("adds a schedule with every option", async () => {
    const { command, requests } = await open();
    const added = await command(
      ...[
        "word_count",
        "0 6 * * *",
        "text=a",
        "--time-zone",
        "Europe/Berlin",
        "--name",
        "mornings",
      ],
      ...["--missed", "skip", "--overlap", "queue", "--version", "1.0.0", "--paused"],
    );
    expect(added).toMatchObject({
      ...{
        exitCode: 0,
        stdout: "Added the schedule mornings. Next run: 2026-01-02 05:00:00 UTC.\n",
      },
    });
    expect(requests.at(-1)?.body).toEqual({
      ...{ cron: "0 6 * * *", input: { text: "a" }, time_zone: "Europe/Berlin", missed: "skip" },
      ...{ name: "mornings", overlap: "queue", version: "1.0.0", paused: true },
    });
  });

  it("lists and shows schedules with their runs", async () => {
    const { command } = await open();
    expect((await command()).stdout).toBe(
      "NAME      TOOL        VERSION  CRON       ZONE           NEXT (UTC)\n" +
        "mornings  word_count  latest   0 6 * * *  Europe/Berlin  2026-01-02 05:00:00\n",
    );
    const { stdout } = await command("show", "mornings");
    expect(stdout).toContain(
      "2026-01-01 05:00:00  refused     -           No \\u{1b}[1mpermission.\n",
    );
    expect(stdout).toContain("2026-01-01 05:00:00  ok by hand  i1\n");
    expect((await command("show", "mornings", "--json")).json()).toEqual({ ...schedule, runs });
  });

  it("pauses, runs and removes them", async () => {
    const { command, requests } = await open();
    expect((await command("pause", "mornings")).stdout).toBe("Paused mornings.\n");
    expect((await command("run", "mornings")).stdout).toContain("haft tool wait i1\n");
    expect((await command("remove", "mornings")).exitCode).toBe(2);
    expect((await command("remove", "mornings", "--yes")).exitCode).toBe(0);
    const changes = requests.filter(({ method }) => method !== "GET");
    expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /tool/schedule/mornings/pause",
      "POST /tool/schedule/mornings/run",
      "DELETE /tool/schedule/mornings",
    ]);
  });

  it.each([
    [["word_count"], "haft tool schedule word_count '0 6 * * *' [INPUT]"],
    [["word_count", "0", "6", "a.txt"], "Write its five fields in quotes"],
    [["word_count", "@daily", "[{}, {}]"], "A schedule has one input, not several."],
    [["show"], "needs the ID or name of a schedule"],
    [["pause", "one", "two"], 'takes one argument, but got "two"'],
    [["word_count", "@daily", "--missed", "maybe"], "run, skip"],
  ])("refuses %j", async (words, why) => {
    const { command } = await open();
    expect(await command(...words)).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining(why) },
    });
  });
});
