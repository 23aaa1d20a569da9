import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { restoreBackup } from "../backup/restore-backup.ts";
import { writeBackup } from "../backup/write-backup.ts";
import { requireClient } from "../git/test-support/git-client.ts";
import { newId } from "../new-id.ts";
import { expectStatus, type WireInput, type WireResult } from "./test-support/create-outsider.ts";
import { createWireCheck } from "./test-support/create-wire-check.ts";
import { filesWith } from "./test-support/files-with.ts";
import { openPlatform, type TestPlatform } from "./test-support/open-platform.ts";
import { nodeProbe, type ProbeDeed, pythonProbe } from "./test-support/probe-tools.ts";
import { readSentEvents } from "./test-support/read-sent-events.ts";

interface History {
  readonly tool_invocations: readonly {
    readonly id: string;
    readonly tool_id: string;
    readonly invocation_status: { readonly succeeded: boolean; readonly output?: string };
    readonly invocation_source: object;
    readonly inputs: object;
  }[];
}

// Texts that stand nowhere by chance.
const apiToken = "token-f81b6c2a9d";
const card = "card-4929-5501-7741";
const profileCard = "card-of-the-profile-3385";
const manifest = { requiredEnvvars: ["REGION"], requiredSecretEnvvars: ["API_TOKEN"] };

describe("invocations on a platform", { timeout: 60_000 }, () => {
  const wire = createWireCheck();
  let platform: TestPlatform;
  const tools: Record<string, string> = {};
  beforeAll(async () => {
    platform = await openPlatform({ onAnswer: wire.onAnswer });
    await platform.push({
      ...nodeProbe("node_probe", manifest),
      ...pythonProbe("python_probe", manifest),
    });
    const inserts = [
      { name: "REGION", value: "eu", is_secret: false },
      { name: "API_TOKEN", value: apiToken, is_secret: true },
    ];
    for (const name of ["node_probe", "python_probe"]) {
      tools[name] = await platform.createTool(name);
      const early = { body: { project_path: name, bump_type: "major" } };
      const refused = await platform.call("POST", `tool/${tools[name]}/version`, early);
      expect(refused).toMatchObject({ status: 400, text: expect.stringContaining("API_TOKEN") });
      const set = await platform.call("POST", `tool/${tools[name]}/envvar`, { body: { inserts } });
      expect(set.status).toBe(204);
    }
    const published = await Promise.all(
      Object.entries(tools).map(([name, id]) => platform.publish(id, name)),
    );
    expect(published).toEqual(["1.0.0", "1.0.0"]);
  }, 60_000);
  afterAll(() => platform?.close());

  const ask = async (
    name: string,
    deed: ProbeDeed,
    more: Partial<WireInput> = {},
  ): Promise<WireResult> => {
    const input = { ...more, input_parameters: { do: deed, ...more.input_parameters } };
    const answer = await platform.invoke({ id: tools[name] ?? "" }, [input]);
    return expectStatus(answer, 200).invocation_results[0] as WireResult;
  };

  describe.each(["node_probe", "python_probe"])("of %s", (name) => {
    it("get the tool's variables as they are at that moment", async () => {
      const before = JSON.parse((await ask(name, "config")).output ?? "");
      expect(before).toEqual({ REGION: "eu", API_TOKEN: apiToken });
      const path = `tool/${tools[name]}/envvar`;
      const updates = [{ name: "REGION", value: "us" }];
      expect((await platform.call("POST", path, { body: { updates } })).status).toBe(204);
      expect(JSON.parse((await ask(name, "config")).output ?? "")).toMatchObject({ REGION: "us" });
      const deletes = [{ name: "REGION" }];
      const both = { deletes, updates: [{ name: "API_TOKEN", value: "changed" }] };
      expect((await platform.call("POST", path, { body: both })).status).toBe(400);
      const after = JSON.parse((await ask(name, "config")).output ?? "");
      expect(after).toEqual({ REGION: "us", API_TOKEN: apiToken });
    });

    it("know their mode, version and id", async () => {
      const told = (await ask(name, "metadata", { invocation_mode: "conversation-simulation" }))
        .output;
      expect(told).toContain("conversation-simulation");
      expect(told).toContain("1.0.0");
      expect(told).toMatch(/[a-f0-9]{24}/u);
    });

    it("get the user's variables, the request's over the profile's", async () => {
      const upserts = [
        { name: "nickname", value: "Countess", is_secret: false },
        { name: "card", value: profileCard, is_secret: true },
      ];
      const path = `user/${platform.userId}/variable`;
      expect((await platform.call("POST", path, { body: { upserts } })).status).toBe(204);
      const [nickname, shown] = JSON.parse((await ask(name, "user")).output ?? "");
      expect(nickname).toBe("Countess");
      expect(shown).not.toContain(profileCard);
      const asked = await ask(name, "user", {
        nonsensitive_user_variables: { nickname: "Enchantress" },
      });
      expect(JSON.parse(asked.output ?? "")[0]).toBe("Enchantress");
      expect((await ask(name, "leak")).output).toBe(`${profileCard} ${apiToken}`);
    });

    it("return a sensitive value to the caller only", async () => {
      const given = {
        sensitive_user_variables: { card },
        input_parameters: { note: `pay ${card}` },
      };
      expect((await ask(name, "leak", given)).output).toBe(`${card} ${apiToken}`);
      const input = { ...given, input_parameters: { do: "leak" } };
      const keyed = await platform.invoke({ id: tools[name] ?? "" }, [input], {
        "idempotency-key": newId(),
      });
      expect(keyed.text).toContain(card);
      const failed = await ask(name, "throw", given);
      expect(failed.exception_message).toContain(`out of range ${card}`);
      const history = await platform.call<History>("GET", `tool/invocation?tool_id=${tools[name]}`);
      expect(history.text).not.toContain(card);
      expect(history.text).not.toContain(apiToken);
      expect(history.body.tool_invocations).toMatchObject([
        { invocation_status: { succeeded: false }, inputs: { do: "throw" } },
        { invocation_status: { succeeded: true }, inputs: { do: "leak" } },
        {
          invocation_status: { succeeded: true },
          inputs: { do: "leak", note: expect.any(String) },
        },
        ...history.body.tool_invocations.slice(3).map(() => ({})),
      ]);
    });

    it("send status events to listeners", async () => {
      const headers = { accept: "text/event-stream" };
      const inputs = [{ input_parameters: { do: "say", text: "done" } }];
      const answer = await platform.invoke({ id: tools[name] ?? "" }, inputs, headers);
      expect(readSentEvents(answer.text)).toEqual([
        { event: "status", data: { input_index: 0, event: "one" } },
        { event: "status", data: { input_index: 0, event: { two: 2 } } },
        {
          event: "result",
          data: {
            invocation_results: [
              { succeeded: true, output: "done", duration_ms: expect.any(Number) },
            ],
          },
        },
      ]);
    });

    it("run once for a key of the caller's, however often it is sent", async () => {
      const headers = { "idempotency-key": newId() };
      const inputs = [{ input_parameters: { do: "count" } }];
      const tool = { id: tools[name] ?? "" };
      const answers = await Promise.all([
        platform.invoke(tool, inputs, headers),
        platform.invoke(tool, inputs, headers),
      ]);
      const later = await platform.invoke(tool, inputs, headers);
      expect(new Set([...answers, later].map(({ text }) => text)).size).toBe(1);
      expect(later.headers.get("x-tool-version")).toBe("1.0.0");
      const other = await platform.invoke(tool, [{ input_parameters: { do: "user" } }], headers);
      expect(other.status).toBe(422);
      const history = await platform.call<History>("GET", `tool/invocation?tool_id=${tools[name]}`);
      const counted = history.body.tool_invocations.filter(
        ({ inputs: { do: deed } }: { inputs: { do?: string } }) => deed === "count",
      );
      expect(counted).toHaveLength(1);
    });
  });

  it("are found by their words, and drop rolled-back data", async () => {
    const { call } = platform;
    const [conversation, interaction] = [newId(), newId()];
    const source = {
      ...{ type: "regular-conversation", user_id: platform.userId },
      ...{ conversation_id: conversation, interaction_id: interaction },
      invocation_metadata: {
        ...{ type: "engage-user", current_state_machine_and_version: ["m", 1] },
        tool_call_round_index: 0,
      },
    };
    const input_parameters = { do: "say", text: "a marvellous xylophone" };
    const inputs = [{ input_parameters, invocation_mode: "regular" }];
    const path = `tool/${tools.node_probe}/version/latest/invoke`;
    expect((await call("POST", path, { body: { inputs, source } })).status).toBe(200);
    const search = await call<History>("GET", "tool/invocation/search?query=xylophone");
    expect(search.body.tool_invocations).toMatchObject([
      {
        ...{ tool_id: tools.node_probe, invocation_source: source, inputs: input_parameters },
        invocation_status: { succeeded: true, output: "a marvellous xylophone" },
      },
    ]);
    const failed =
      "tool/invocation/search?query=range&query_against=invocation_status.exception_message";
    expect((await call<History>("GET", failed)).body.tool_invocations).toHaveLength(2);
    const listed = `tool/invocation?conversation_id=${conversation}`;
    expect((await call<History>("GET", listed)).body.tool_invocations).toHaveLength(1);
    const rollback = { conversation_id: conversation, interaction_ids: [interaction] };
    const rolled = await call("POST", "tool/invocation/rollback", { body: rollback });
    expect(rolled.body).toEqual({ rolled_back: 1 });
    expect((await call<History>("GET", listed)).body.tool_invocations).toEqual([]);
    const again = await call<History>("GET", "tool/invocation/search?query=xylophone");
    expect(again.body.tool_invocations[0]).toMatchObject({
      invocation_source: {
        type: "regular-conversation",
        conversation_id: null,
        interaction_id: null,
      },
    });
  });

  it("leave no secret in clear on the disk or in the log", () => {
    const { directory, key, logged } = platform;
    expect(filesWith(directory, key)).toEqual(["credentials.json"]);
    for (const secret of [apiToken, card, profileCard]) {
      expect({ secret, files: filesWith(directory, secret) }).toEqual({ secret, files: [] });
    }
    // What is looked for can be found: the log and the files are there.
    expect(filesWith(directory, "xylophone")).not.toEqual([]);
    expect(logged.join("")).toContain("invoke");
    for (const secret of [key, apiToken, card, profileCard]) {
      expect(logged.join("")).not.toContain(secret);
    }
  });

  it("continue from a backup in another place, with the same key", async () => {
    const place = mkdtempSync(join(tmpdir(), "haft-restored-"));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    const [file, directory] = [join(place, "backup.tar"), join(place, "data")];
    await writeBackup({ directory: platform.directory, file });
    await restoreBackup({ file, directory });
    const restored = await openPlatform({ directory });
    onTestFinished(() => restored.close());
    expect(restored.key).toBe(platform.key);
    expect(restored.url).not.toBe(platform.url);
    expect(restored.platform.bootstrap).toMatchObject({ isFirst: false });
    const answer = await restored.invoke({ id: tools.node_probe ?? "" }, [
      { input_parameters: { do: "config" } },
    ]);
    const [result] = expectStatus(answer, 200).invocation_results;
    expect(JSON.parse(result?.output ?? "")).toEqual({ REGION: "us", API_TOKEN: apiToken });
    const found = await restored.call<History>("GET", "tool/invocation/search?query=xylophone");
    expect(found.body.tool_invocations).toHaveLength(1);
    const branch = `releases/${restored.organization}`;
    const clone = ["clone", "--quiet", "--branch", branch, restored.remote, "clone"];
    await requireClient(place, clone);
    expect(readFileSync(join(place, "clone/node_probe/tool.json"), "utf8")).toContain("node_probe");
  });

  it("have the shapes of the published interface", () => {
    expect(wire.faults).toEqual([]);
  });
});
