import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestWorkspace, type Situation } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";
import {
  reply,
  type WireHandler,
  wireInvocation,
  wireTool,
  wireVersion,
} from "../../test-support/wire/wire-platform.ts";

async function open(handle?: WireHandler) {
  const wire = await serveWire(handle);
  const { haft, directory } = createTestWorkspace();
  const tool = (args: readonly string[], situation: Situation = {}) =>
    haft(["tool", ...args], {
      ...situation,
      environment: { ...wire.environment, ...situation.environment },
    });
  const changes = () => wire.requests.filter(({ method }) => method !== "GET");
  return { ...wire, tool, directory, changes };
}

const { id } = wireTool("word_count");

const canary = {
  ...{ version: "2.0.0", percent: 10, abort_if: "errors > 2x", calls: 7, errors: 1 },
  ...{ stable_calls: 60, stable_errors: 0, user_id: "u", ended_at: null, outcome: null },
  started_at: "2026-01-02T03:04:05.000Z",
};
const moved = { from: "3.0.0", to: "1.0.0", reason: "rollback", user_id: "somebody" };
const moves = [{ ...moved, created_at: "2026-01-02T03:04:05.000Z" }];

/** Answers what `haft tool show` asks for. */
const answerShow: WireHandler = ({ method, path }, response) => {
  if (method !== "GET") return false;
  const page = { has_more: false, continuation_token: null };
  if (path.endsWith("/version")) {
    const hosts = { allowed_hosts: ["api.example.org"], simulation_hosts: [] };
    const input_schema = { type: "object", required: ["text"] };
    const tool_versions = [
      wireVersion(3),
      wireVersion(2, { candidate: true }),
      wireVersion(1, { latest: true, input_schema, ...hosts }),
    ];
    return reply(response, 200, { tool_versions, ...page });
  }
  if (path.endsWith("/latest")) {
    return reply(response, 200, { latest: "1.0.0", canary, moves });
  }
  if (path !== "/tool/invocation") return false;
  return reply(response, 200, { tool_invocations: [wireInvocation("i1")], ...page });
};

describe("haft tool list", () => {
  it("prints what the platform answers, and passes every filter on", async () => {
    const { tool, requests } = await open();
    const { stdout, exitCode } = await tool([
      ...["list", "--tag", "team:blue", "--tag", "kind:", "--deprecated", "--sort", "+name"],
      ...["--sort=-deprecated", "--limit", "3", "--id", id, "--token", "5", "--json"],
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      tools: [{ name: "word_count" }],
      has_more: false,
      filter_values: { tags: ["team:blue"] },
    });
    expect(stdout.trimEnd()).not.toContain("\n");
    expect([...(requests.at(-1)?.query ?? [])]).toEqual([
      ["id", id],
      ["tag", "team:blue"],
      ["tag", "kind:"],
      ["sort_by", "+name"],
      ["sort_by", "-deprecated"],
      ["deprecated", "true"],
      ["limit", "3"],
      ["continuation_token", "5"],
    ]);
  });

  it("puts every page together with --all", async () => {
    const names = ["a", "b", "c"];
    const { tool, requests } = await open(({ method, path, query }, response) => {
      if (method !== "GET" || path !== "/tool/") return false;
      const at = Number(query.get("continuation_token") ?? 0);
      const has_more = at + 1 < names.length;
      return reply(response, 200, {
        tools: [wireTool(names[at] as string)],
        has_more,
        continuation_token: has_more ? at + 1 : null,
        filter_values: at === 0 ? { tags: ["x"] } : null,
      });
    });
    const body = (await tool(["list", "--all", "--active", "--json"])).json<{
      tools: { name: string }[];
    }>();
    expect(body.tools.map(({ name }) => name)).toEqual(names);
    expect(body).toMatchObject({ has_more: false, filter_values: { tags: ["x"] } });
    expect(requests.at(-1)?.query.get("deprecated")).toBe("false");
  });

  it("shows a person what is deceptive as what it is", async () => {
    const { tool } = await open((request, response) =>
      request.path === "/tool/"
        ? reply(response, 200, { tools: [wireTool("a", { description: "\u001b[31mred\u202e" })] })
        : false,
    );
    const { stdout } = await tool(["list"]);
    expect(stdout).toBe("NAME  TAGS       DESCRIPTION\na     team=blue  \\u{1b}[31mred\\u{202e}\n");
    const json = await tool(["list", "--json"], { outputIsTerminal: true });
    expect(["\u001b", "\u202e"].some((each) => json.stdout.includes(each))).toBe(false);
    expect(json.json()).toMatchObject({ tools: [{ description: "\u001b[31mred\u202e" }] });
  });
});

describe("haft tool create, show and update", () => {
  it("makes a tool with tags", async () => {
    const { tool, changes } = await open(({ method, path }, response) =>
      method === "POST" && path === "/tool/" ? reply(response, 201, { id }) : false,
    );
    const words = ["create", "word_count", "--description", "Counts."];
    const made = await tool([...words, "--tag", "team=blue", "--tag", "beta"]);
    expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`(${id})`) });
    expect(changes()[0]?.body).toEqual({
      name: "word_count",
      description: "Counts.",
      tags: { team: "blue", beta: null },
    });
    expect((await tool([...words, "--json"])).json()).toEqual({ id });
  });

  it("shows a tool by its name or id, with versions, hosts, schemas and invocations", async () => {
    const { tool } = await open(answerShow);
    for (const name of ["word_count", id]) {
      const { stdout } = await tool(["show", name]);
      expect(stdout).toMatch(/^word_count: Does word_count\.\n/u);
      expect(stdout).toContain("  Secrets    TOKEN\n");
      expect(stdout).toContain("  Hosts      api.example.org\n");
      expect(stdout).toMatch(/^ {2}1\.0\.0 .* latest$/mu);
      expect(stdout).toMatch(/^ {2}2\.0\.0 .* candidate, canary$/mu);
      expect(stdout).toContain("3.0.0 → 1.0.0  rollback by somebody");
      expect(stdout).toContain("1 errors in 7 calls; latest: 0 in 60");
      expect(stdout).toContain('Input\n  {"type":"object","required":["text"]}');
      expect(stdout).toMatch(/Last invocations\n.* ok .* i1\n$/u);
    }
    expect((await tool(["show", "old_tool"])).stdout).toContain("old_tool (deprecated)");
    expect((await tool(["show", id, "--json"])).json()).toMatchObject({
      ...wireTool("word_count"),
      latest: "1.0.0",
      canary: { version: "2.0.0" },
      moves,
      versions: [{ lambda_version: 3 }, {}, {}],
      invocations: [{ id: "i1" }],
    });
  });

  it("changes what is said and nothing else", async () => {
    const { tool, changes } = await open(({ method, path }, response) =>
      method === "POST" && path === `/tool/${id}` ? reply(response, 204) : false,
    );
    expect(await tool(["update", "word_count", "--description", "New."])).toMatchObject({
      exitCode: 0,
      stdout: "Changed word_count.\n",
    });
    await tool(["update", "word_count", "--tag", "a=b"]);
    await tool(["update", "word_count", "--tag", ""]);
    expect(changes().map(({ body }) => body)).toEqual([
      { description: "New." },
      { tags: { a: "b" } },
      { tags: {} },
    ]);
  });

  it("passes on what the platform says is wrong", async () => {
    const { tool } = await open(({ method }, response) =>
      method === "POST"
        ? reply(response, 409, { detail: "There is a tool of that name already.\u001b[2J" })
        : false,
    );
    const { exitCode, stderr } = await tool(["create", "a", "--description", "b"]);
    expect([exitCode, stderr]).toEqual([
      1,
      "haft: There is a tool of that name already.\\u{1b}[2J [409]\n",
    ]);
  });
});

describe("haft tool env", () => {
  const taken: WireHandler = ({ method, path }, response) =>
    method === "POST" && path === `/tool/${id}/envvar` ? reply(response, 204) : false;

  it("lists names, never values", async () => {
    const { tool } = await open();
    expect((await tool(["env", "word_count"])).stdout).toBe("REGION\nTOKEN (secret)\n");
    expect((await tool(["env", "word_count", "list", "--json"])).json()).toEqual({
      envvars: ["REGION"],
      secret_envvars: ["TOKEN"],
    });
  });

  it("adds what is new and changes what is there, in one call", async () => {
    const { tool, changes } = await open(taken);
    const { stdout } = await tool(["env", "word_count", "set", "REGION=eu=1", "COLOUR=red"]);
    expect(stdout).toBe("inserted: COLOUR\nupdated: REGION\n");
    expect(changes().map(({ body }) => body)).toEqual([
      {
        inserts: [{ name: "COLOUR", value: "red", is_secret: false }],
        updates: [{ name: "REGION", value: "eu=1" }],
      },
    ]);
  });

  it("takes secrets from files and standard input, and says none of them", async () => {
    const { tool, changes, directory } = await open(taken);
    writeFileSync(join(directory, "key.txt"), "hush one\n");
    const words = ["env", "word_count", "set", "--secret", "KEY=@key.txt", "TOKEN=@-"];
    const { stdout, stderr } = await tool(words, { input: "hush two\r\n" });
    expect(changes()[0]?.body).toEqual({
      inserts: [{ name: "KEY", value: "hush one", is_secret: true }],
      updates: [{ name: "TOKEN", value: "hush two" }],
    });
    expect(`${stdout}${stderr}`).not.toContain("hush");
  });

  it("removes variables", async () => {
    const { tool, changes } = await open(taken);
    const { json } = await tool(["env", "word_count", "unset", "REGION", "--json"]);
    expect(json()).toEqual({ id, inserted: [], updated: [], deleted: ["REGION"] });
    expect(changes()[0]?.body).toEqual({ deletes: [{ name: "REGION" }] });
  });

  it.each([
    [["env", "word_count", "set"], "No variable given"],
    [["env", "word_count", "set", "secretvalue"], "set takes NAME=VALUE."],
    [["env", "word_count", "set", "lower=1"], "capital letters and _ only"],
    [["env", "word_count", "set", "A=@nowhere"], "cannot be read"],
    [["env", "word_count", "set", "--secret", "REGION=x"], "is not a secret"],
    [["env", "word_count", "show"], "takes list, set or unset"],
  ])("refuses %j", async (words, why) => {
    const { tool, changes } = await open(taken);
    expect(await tool(words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
    expect(changes()).toEqual([]);
  });
});

describe("haft tool versions", () => {
  it("shows each version in a line, or what the platform answers", async () => {
    const page = {
      tool_versions: [wireVersion(1, { deprecated: true }), wireVersion(10)],
      has_more: true,
      continuation_token: 2,
      filter_values: null,
    };
    const { tool, requests } = await open(({ path }, response) =>
      path === `/tool/${id}/version` ? reply(response, 200, page) : false,
    );
    const { stdout, stderr } = await tool(["versions", "word_count", "--constraint", ">=1,<20"]);
    expect(stdout.split("\n").map((line) => line.slice(0, 42))).toEqual([
      "1.0.0   2026-01-02 03:04:05  abcdef0123  w",
      "10.0.0  2026-01-02 03:04:05  abcdef0123  w",
      "",
    ]);
    expect(stdout.split("\n")[0]).toMatch(/deprecated$/u);
    expect(stderr).toContain("--token 2");
    expect(requests.at(-1)?.query.get("versions")).toBe(">=1,<20");
    expect((await tool(["versions", "word_count", "--json"])).json()).toEqual(page);
  });
});

describe("haft tool promote, rollback, restore and canary", () => {
  it("send what they are told to and say what happened", async () => {
    const { tool, changes } = await open(({ method, path, body }, response) => {
      if (method === "GET" && path.endsWith("/latest")) {
        return reply(response, 200, { latest: "1.0.0", canary, moves });
      }
      if (method === "GET") return false;
      if (path.endsWith("/latest")) return reply(response, 200, { from: null, to: "2.0.0" });
      if (path.endsWith("/rollback")) return reply(response, 200, moved);
      if (method === "POST" && path.endsWith("/canary")) {
        return reply(response, 200, { ...canary, ...(body as object) });
      }
      return reply(response, 204);
    });
    const say = async (...words: string[]): Promise<string> => (await tool(words)).stdout;
    expect(await say("promote", "word_count", "2.0.0")).toBe(
      "latest of word_count: no version → 2.0.0\n",
    );
    const back = await tool(["rollback", "word_count"]);
    expect(back.stdout).toBe("latest of word_count: 3.0.0 → 1.0.0\n");
    expect(back.stderr).toContain("haft tool deprecate word_count --versions 3.0.0");
    expect(await say("restore", "old_tool")).toBe("Restored old_tool.\n");
    expect(await say("restore", "word_count", "1.0.0")).toBe("Restored word_count 1.0.0.\n");
    const rule = ["--abort-if", "errors > 5%"];
    expect(await say("canary", "word_count", "2.0.0", "10%", ...rule)).toBe(
      "10 % of the calls of latest go to word_count 2.0.0, until errors > 5%.\n",
    );
    expect(await say("canary", "word_count", "--stop")).toContain("1 errors in 7 calls");
    expect(
      changes().map(({ method, path, body }) => [method, path.split("/").slice(3), body]),
    ).toEqual([
      ["POST", ["latest"], { version: "2.0.0" }],
      ["POST", ["latest", "rollback"], undefined],
      ["POST", ["restore"], undefined],
      ["POST", ["version", "1.0.0", "restore"], undefined],
      ["POST", ["canary"], { version: "2.0.0", percent: 10, abort_if: "errors > 5%" }],
      ["DELETE", ["canary"], undefined],
    ]);
    const wrong = await tool(["canary", "word_count", "2.0.0", "200%"]);
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("1% to 99%") });
  });
});

describe("haft tool deprecate", () => {
  const taken: WireHandler = ({ method }, response) =>
    method === "DELETE" ? reply(response, 204) : false;

  it("asks first where it can, and does nothing without a yes", async () => {
    const { tool, changes } = await open(taken);
    const words = ["deprecate", "word_count"];
    expect(await tool(words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--yes"),
    });
    expect(await tool(words, { typed: ["n"] })).toMatchObject({ exitCode: 1 });
    expect(changes()).toEqual([]);
    expect(await tool(words, { typed: ["y"] })).toMatchObject({
      exitCode: 0,
      stdout: "Deprecated word_count with all its versions.\n",
    });
    expect(changes().map(({ path }) => path)).toEqual([`/tool/${id}`]);
  });

  it("takes a constraint for some of the versions", async () => {
    const { tool, changes } = await open(taken);
    const { json } = await tool(["deprecate", id, "--versions", ">=1,<2", "--yes", "--json"]);
    expect(json()).toEqual({ id, deprecated: ">=1,<2" });
    expect(changes().map(({ path }) => path)).toEqual([`/tool/${id}/version/%3E%3D1%2C%3C2`]);
  });
});

describe("haft tool", () => {
  it("says which tools are near when there is none of that name", async () => {
    const { tool } = await open();
    expect(await tool(["show", "word_cout"])).toMatchObject({
      exitCode: 1,
      stderr: 'haft: There is no tool "word_cout". Did you mean word_count?\n',
    });
  });

  it.each([
    [[], "needs a subcommand: init, list"],
    [["lst"], 'no subcommand "lst"'],
    [["list", "extra"], 'takes no arguments, but got "extra"'],
    [["list", "--limit", "many"], "--limit takes a whole number"],
    [["list", "--deprecated", "--active"], "exclude each other"],
    [["show"], "needs the argument NAME"],
    [["create", "Bad-Name", "--description", "x"], "lowercase letters, digits and _"],
    [["create", "a"], "--description TEXT"],
    [["create", "a", "--description", "b", "--tag", "=x"], "--tag takes KEY=VALUE"],
    [["update", "word_count"], "Nothing to change."],
  ])("refuses %j", async (words, why) => {
    const { tool } = await open();
    expect(await tool(words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  });
});

describe("haft tool set", () => {
  const set = {
    ...{ id: "5".repeat(24), name: "support", instructions: "Look up first." },
    tools: [
      { tool_id: id, tool_name: "word_count", version: "<2", name: "count", instructions: "" },
      { tool_id: id, tool_name: "word_count", version: "latest", name: null, instructions: "No." },
    ],
    ...{ created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" },
  };
  const handle: WireHandler = ({ method, path }, response) => {
    if (!path.startsWith("/tool/set")) return false;
    if (method === "DELETE") return reply(response, 204);
    return reply(response, 200, path === "/tool/set/" ? { tool_sets: [set] } : set);
  };

  it("lists and shows sets", async () => {
    const { tool } = await open(handle);
    expect((await tool(["set", "list", "--json"])).stdout).toContain('"tool_sets"');
    const { stdout } = await tool(["set", "show", "support"]);
    expect(stdout).toBe(
      "support: Look up first.\n\n  count (word_count) <2\n  word_count latest: No.\n",
    );
  });

  it("creates, updates and deletes them", async () => {
    const { tool, changes } = await open(handle);
    const chosen = ["--tool", "look_up", "--tool", "find=look_up@>=1,<2"];
    await tool(["set", "create", "support", ...chosen, "--instructions", "Now."]);
    await tool(["set", "update", "support", "--instructions", "Later."]);
    await tool(["set", "delete", "support", "--yes"]);
    const tools = [
      { tool_id: "look_up", name: null, version: "latest" },
      { tool_id: "look_up", name: "find", version: ">=1,<2" },
    ];
    const kept = set.tools.map(({ tool_name: _own, ...rest }) => rest);
    expect(changes()).toMatchObject([
      { method: "POST", body: { name: "support", tools, instructions: "Now." } },
      { method: "PUT", path: "/tool/set/support", body: { tools: kept, instructions: "Later." } },
      { method: "DELETE", path: "/tool/set/support" },
    ]);
  });

  it.each([
    [["set", "creat", "x"], "Did you mean create?"],
    [["set", "show"], "needs the set's NAME"],
    [["set", "create", "x", "--tool", "a b"], "[NAME=]TOOL[@VERSION]"],
  ])("refuses %j", async (args, told) => {
    const { tool } = await open(handle);
    const { stderr, exitCode } = await tool(args);
    expect(stderr).toContain(told);
    expect(exitCode).toBe(2);
  });
});
