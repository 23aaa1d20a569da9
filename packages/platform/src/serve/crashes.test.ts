import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { newId } from "../new-id.ts";
import { expectStatus, type Outsider } from "./test-support/create-outsider.ts";
import { findDescendants, isThere } from "./test-support/descendants.ts";
import { nodeProbe } from "./test-support/probe-tools.ts";
import { type StartedServer, startServer } from "./test-support/start-server.ts";

interface Operation {
  readonly state: string;
  readonly version: string | null;
  readonly error: string | null;
  readonly ended_at: string | null;
}

interface Invocation {
  readonly inputs: { readonly text?: string };
  readonly invocation_status: {
    readonly succeeded: boolean;
    readonly exception_type?: string;
    readonly exception_message?: string;
  };
}

const graceMs = 1_500;

// One data directory, on which one server after the other is ended.
describe("a server that is killed", { timeout: 60_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "haft-crashes-"));
  let server: StartedServer;
  let outsider: Outsider;
  let toolId: string;
  beforeAll(async () => {
    // Each of them starts quicker with less.
    const settings = { runner: { blankWorkers: 1 } };
    writeFileSync(join(directory, "settings.json"), JSON.stringify(settings));
    server = await startServer({ directory, graceMs });
    outsider = server.enter();
    await outsider.push(nodeProbe("probe"));
    toolId = await outsider.createTool("probe");
  }, 60_000);
  afterAll(async () => {
    outsider?.close();
    await server?.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  const start = async (): Promise<void> => {
    server = await startServer({ directory, graceMs });
    outsider = outsider.at(server.url);
  };
  const restart = async (): Promise<void> => {
    await server.kill();
    await start();
  };

  const readVersions = async (): Promise<string[]> => {
    const { body } = await outsider.call<{
      tool_versions: { version: { major: number; minor: number; patch: number } }[];
    }>("GET", `tool/${toolId}/version?sort_by=%2Bcreated_at`);
    return body.tool_versions.map(
      ({ version: { major, minor, patch } }) => `${major}.${minor}.${patch}`,
    );
  };
  const readOperations = async (): Promise<readonly Operation[]> =>
    (await outsider.call<{ operations: Operation[] }>("GET", `tool/${toolId}/operation?limit=20`))
      .body.operations;
  const readInvocations = async (): Promise<readonly Invocation[]> =>
    (
      await outsider.call<{ tool_invocations: Invocation[] }>(
        "GET",
        `tool/invocation?tool_id=${toolId}`,
      )
    ).body.tool_invocations;
  const say = async (text: string): Promise<unknown> => {
    const inputs = [{ input_parameters: { do: "say", text } }];
    const answer = await outsider.invoke({ id: toolId }, inputs);
    return expectStatus(answer, 200).invocation_results[0]?.output;
  };

  it.each([
    ["checking", /"state":"checking"/u],
    ["storing", /"state":"storing"/u],
    ["done", /event: result/u],
  ])("when a publish is %s leaves a whole version or none", async (moment, pattern) => {
    const before = await readVersions();
    const told = await readUntil(outsider, toolId, pattern);
    await restart();

    const after = await readVersions();
    const [operation] = await readOperations();
    expect(operation?.ended_at).not.toBeNull();
    if (after.length === before.length) {
      expect(told).not.toContain("event: result");
      expect(operation).toMatchObject({
        state: "failed",
        error: expect.stringMatching(/stopped/u),
      });
    } else {
      expect(after).toHaveLength(before.length + 1);
      expect(operation).toMatchObject({ state: "active", version: after.at(-1), error: null });
      expect(await say(moment)).toBe(moment);
    }
    if (moment === "checking") expect(after).toEqual(before);
    if (moment === "done") expect(after).toHaveLength(before.length + 1);
  });

  it("keeps everything it had acknowledged and records unfinished calls as failed", async () => {
    const text = newId();
    expect(await outsider.publish(toolId, "probe", "patch")).toBe((await readVersions()).at(-1));
    expect(await say(text)).toBe(text);
    const path = `tool/${toolId}/envvar`;
    const inserts = [{ name: "KEPT", value: text, is_secret: true }];
    expect((await outsider.call("POST", path, { body: { inserts } })).status).toBe(204);
    const other = await outsider.createTool("made_before_the_crash");
    const commit = await outsider.push({ "notes.txt": text });
    const before = (await readInvocations()).length;
    const waiting = outsider.invoke({ id: toolId }, [
      { input_parameters: { do: "wait", ms: 60_000 } },
    ]);
    waiting.catch(() => {});
    await expect.poll(() => countRunning(directory)).toBe(1);
    const sandboxes = findDescendants(server.child.pid ?? 0);
    expect(sandboxes).not.toEqual([]);
    await restart();

    await expect(waiting).rejects.toThrow();
    await expect.poll(() => sandboxes.filter(isThere)).toEqual([]);
    const [lost, last, ...others] = await readInvocations();
    expect(lost).toMatchObject({
      inputs: { do: "wait" },
      invocation_status: {
        ...{ succeeded: false, exception_type: "WorkerDied" },
        exception_message: expect.stringMatching(/server stopped.*not repeated/u),
      },
    });
    expect(last).toMatchObject({ inputs: { text }, invocation_status: { succeeded: true } });
    expect(others).toHaveLength(before - 1);
    expect(countRunning(directory)).toBe(0);
    const { body } = await outsider.call<{ tools: { id: string; secret_envvars: string[] }[] }>(
      "GET",
      "tool/",
    );
    expect(body.tools.map(({ id }) => id)).toEqual(expect.arrayContaining([toolId, other]));
    expect(body.tools.find(({ id }) => id === toolId)?.secret_envvars).toEqual(["KEPT"]);
    expect((await outsider.call("GET", "tool/repository/branches")).text).toContain(commit);
  });

  it("keeps the record of every call that it answered while others ran", async () => {
    if ((await readVersions()).length === 0) await outsider.publish(toolId, "probe", "patch");
    const answered: string[] = [];
    const callers = Array.from({ length: 16 }, async () => {
      for (;;) {
        const text = newId();
        if ((await say(text)) === text) answered.push(text);
      }
    });
    const ended = Promise.allSettled(callers);
    await expect.poll(() => answered.length, { timeout: 30_000 }).toBeGreaterThan(100);
    await restart();
    await ended;

    const recorded = new Set<string | undefined>();
    for (let token = ""; ; ) {
      const { body } = await outsider.call<{
        tool_invocations: Invocation[];
        continuation_token: number | null;
      }>("GET", `tool/invocation?tool_id=${toolId}&limit=100${token}`);
      for (const { inputs } of body.tool_invocations) recorded.add(inputs.text);
      if (body.continuation_token === null) break;
      token = `&continuation_token=${body.continuation_token}`;
    }
    expect(answered.filter((text) => !recorded.has(text))).toEqual([]);
  });

  it("lets running calls end when it is asked to stop, and reports those that take too long", async () => {
    const wait = (ms: number): ReturnType<Outsider["invoke"]> =>
      outsider.invoke({ id: toolId }, [{ input_parameters: { do: "wait", ms } }]);
    const [short, long] = [wait(800), wait(60_000)];
    await expect.poll(() => countRunning(directory)).toBe(2);
    const stopped = server.stop();
    expect(expectStatus(await short, 200).invocation_results[0]?.output).toBe("waited");
    const [result] = expectStatus(await long, 200).invocation_results;
    expect(result).toMatchObject({
      ...{ succeeded: false, exception_type: "WorkerDied" },
      exception_message: expect.stringContaining("shut down"),
    });
    expect(await stopped).toBe(0);
    expect(server.errors()).toBe("");
    await start();
    const [first, second] = await readInvocations();
    expect([first, second].map((row) => row?.invocation_status)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ succeeded: true, output: "waited" }),
        expect.objectContaining({ succeeded: false, exception_message: result?.exception_message }),
      ]),
    );
  });
});

/** Publishes, and reads what is told until a text comes; gives all that was told. */
async function readUntil(
  { url, organization, key }: Outsider,
  toolId: string,
  pattern: RegExp,
): Promise<string> {
  const answer = await fetch(`${url}/v1/${organization}/tool/${toolId}/version`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      accept: "text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ project_path: "probe", bump_type: "patch" }),
  });
  let told = "";
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    told += Buffer.from(chunk).toString("utf8");
    if (pattern.test(told)) return told;
  }
  throw new Error(`It was never told: ${told}`);
}

function countRunning(directory: string): number {
  const database = new DatabaseSync(join(directory, "haft.db"), { readOnly: true });
  try {
    const row = database.prepare("select count(*) as count from running_invocations").get();
    return Number(row?.count);
  } finally {
    database.close();
  }
}
