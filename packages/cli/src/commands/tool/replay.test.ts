import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";
import {
  reply,
  type WireHandler,
  wireInvocation,
  wireTool,
} from "../../test-support/wire/wire-platform.ts";

const id = "a".repeat(24);

async function open(handle: WireHandler) {
  const wire = await serveWire(handle);
  const { haft, directory } = createTestWorkspace();
  const tool = (...words: string[]) => haft(["tool", ...words], { environment: wire.environment });
  return { ...wire, tool, directory };
}

it("haft tool shadow prints each difference, what was skipped, and counts", async () => {
  const changes = [{ path: "sum", before: "4", after: null }];
  const report = {
    ...{ candidate: "1.1.0", against: "recorded", compared: 9, same: 8, different: 1, skipped: 1 },
    differences: [{ invocation_id: id, version: "1.0.0", kind: "output", changes }],
    skips: [{ invocation_id: "b", reason: "Its input is damaged." }],
    has_more: true,
  };
  const { tool, requests } = await open(({ path }, response) =>
    path.endsWith("/shadow") ? reply(response, 200, report) : false,
  );
  const words = ["shadow", "word_count", "--candidate", "1.1.0", "--since", "24h"];
  const ran = await tool(...words, "--ignore", "at", "--ignore", "items.*.t", "--limit", "9");
  expect(ran).toMatchObject({
    exitCode: 1,
    stdout: [
      `${id}  output  recorded by 1.0.0`,
      "    sum: - 4",
      "    sum: + (nothing)",
      "b  skipped  Its input is damaged.",
      "9 compared: 8 the same, 1 different; 1 skipped",
      "",
    ].join("\n"),
    stderr: expect.stringContaining("--limit N"),
  });
  expect(requests.at(-1)).toMatchObject({
    path: `/tool/${wireTool("word_count").id}/shadow`,
    body: { candidate: "1.1.0", ignore: ["at", "items.*.t"], limit: 9 },
  });
  expect((await tool(...words, "--json")).json()).toEqual(report);
});

it.each([
  ["The schema breaks callers. Publish with bump_type major.", "Publish with --bump major."],
  ["inputs[1].input_parameters: n is missing.", "input 2: n is missing."],
  ['path.version: "x" names no versions.', '--version: "x" names no versions.'],
  ["Set it with POST /v1/{organization}/tool/7f/envvar.", "haft tool env 7f set NAME=VALUE."],
])("an error names options, not fields of the API: %s", async (detail, shown) => {
  const { tool } = await open(({ path }, response) =>
    path.endsWith("/invoke") ? reply(response, 400, { detail }) : false,
  );
  const words = ["invoke", "word_count", "{}"];
  expect((await tool(...words)).stderr).toContain(shown);
  expect((await tool(...words, "--json")).json()).toMatchObject({ error: { detail } });
});

describe("haft tool case add", () => {
  const inputs = { text: "one two", auth: { api_key: "key-123456" }, list: ["•••"] };
  const output = JSON.stringify({ words: 2, used: "key-123456" });
  const answer: WireHandler = ({ path }, response) =>
    path === `/tool/invocation/${id}` &&
    reply(response, 200, {
      ...wireInvocation(id, { inputs, invocation_status: { succeeded: true, output } }),
      unrecorded: "user variables",
    });
  const openProject = async (name = "word_count") => {
    const opened = await open(answer);
    writeFileSync(join(opened.directory, "tool.json"), JSON.stringify({ name }));
    return opened;
  };

  it("writes a recorded invocation without secrets into the project", async () => {
    const { tool, directory } = await openProject();
    const ran = await tool("case", "add", id, "--name", "two_words", "--ignore", "took_ms");
    expect(ran).toMatchObject({
      exitCode: 0,
      stdout: "Wrote cases/two_words.json. Commit it: every publish and test runs it.\n",
    });
    expect(ran.stderr).toContain("removed secrets from the input: auth.api_key, list.0.");
    expect(ran.stderr).toContain("invoked with user variables");
    expect(JSON.parse(readFileSync(join(directory, "cases/two_words.json"), "utf8"))).toEqual({
      input: { text: "one two", auth: { api_key: "REMOVED" }, list: ["REMOVED"] },
      output: { words: 2, used: "REMOVED" },
      ignore: ["took_ms"],
      recorded: { invocation: id, version: "1.0.0" },
    });
    const again = await tool("case", "add", id, "--name", "two_words");
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("exists already") });
  });

  it("finds secrets in numbers, in JSON in a text, and in base64", async () => {
    const toBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
    const kept = { body: '{"n":1}', blob: toBase64({ n: 1 }), n: 7 };
    const wire = wireInvocation(id, {
      inputs: {
        ...kept,
        password: 12345678,
        request: JSON.stringify({ n: 1, auth: { token: "tok-123456" } }),
        packed: toBase64({ api_key: "key-123456" }),
      },
      invocation_status: {
        succeeded: true,
        output: `${Buffer.from("tok-123456").toString("base64")} 12345678`,
      },
    });
    const { tool, directory } = await open(({ path }, response) =>
      path === `/tool/invocation/${id}` ? reply(response, 200, wire) : false,
    );
    writeFileSync(join(directory, "tool.json"), JSON.stringify({ name: "word_count" }));
    const ran = await tool("case", "add", id, "--name", "nested");
    expect(ran.stderr).toContain("password, request.auth.token, packed.");
    const text = readFileSync(join(directory, "cases/nested.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({
      input: {
        ...kept,
        ...{ password: 0, packed: "REMOVED" },
        request: '{"n":1,"auth":{"token":"REMOVED"}}',
      },
      output: "REMOVED== REMOVED",
    });
  });

  it("refuses another tool's project, a folder elsewhere, and words it does not know", async () => {
    const other = await openProject("other");
    const foreign = await other.tool("case", "add", id);
    expect(foreign.stderr).toContain("is the project of other");
    const { tool, directory } = await openProject();
    mkdirSync(join(directory, "elsewhere"));
    symlinkSync("elsewhere", join(directory, "cases"));
    expect((await tool("case", "add", id)).stderr).toContain("is a link to another place");
    expect((await tool("case", "list", id)).stderr).toContain("haft tool case add INVOCATION");
  });
});
