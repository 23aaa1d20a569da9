import { appendFileSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { compileSchema } from "@haft/core/internal";
import { createPlatformClient, PlatformError } from "@haft/platform/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { answered, ended, said, talk } from "../commands/sessions/test-support/talk.ts";
import { createTestWorkspace, type TestWorkspace } from "../test-support/run-haft.ts";

/** Serves a workspace's machine, and gives a client that checks every answer against the API's document. */
async function serve({ haft }: TestWorkspace, ...options: string[]) {
  const stop = new AbortController();
  const { promise: greeting, resolve: greet } = Promise.withResolvers<string>();
  const serving = haft(["serve", "--port", "0", "--sandbox", "off", ...options], {
    signal: stop.signal,
    onOutput: greet,
  });
  onTestFinished(async () => {
    stop.abort();
    await serving;
  });
  const text = await greeting;
  const url = /http:\/\/[\d.]+:\d+/u.exec(text)?.[0] ?? "";
  const apiKey = /API key: +(\S+)/u.exec(text)?.[1] ?? "";
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const checked: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.headers.get("content-type")?.startsWith("application/json")) {
      await checkAnswer(document, `${init?.method ?? "GET"} ${input}`, response.clone());
    }
    return response;
  };
  const platform = createPlatformClient({ url, apiKey, fetch: checked });
  return { url, apiKey, machine: platform.machine, platform };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

async function checkAnswer(
  { paths }: Document,
  request: string,
  response: Response,
): Promise<void> {
  const [method = "", url = ""] = request.split(" ");
  const { pathname } = new URL(url);
  if (!pathname.includes("/machine/") || !response.ok) return;
  const [path] =
    Object.entries(paths).find(([template]) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u").test(pathname),
    ) ?? [];
  const operation = paths[path ?? ""]?.[method.toLowerCase()];
  const schema = operation?.responses[response.status]?.content?.["application/json"]?.schema;
  expect(schema, `${method} ${pathname} is in the document`).toBeDefined();
  expect(compileSchema(schema as never).explain(await response.json())).toEqual([]);
}

async function refusal(work: Promise<unknown>): Promise<PlatformError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PlatformError);
  return error as PlatformError;
}

const hostile = "<script>alert(1)</script>\u202e\u0007\n\n--- a\n+++ b";

describe("the API of the machine", () => {
  it("shows sessions, nested calls, messages, timelines and outputs", async () => {
    const workspace = createTestWorkspace({ "a.txt": `${hostile}\n`, "big.txt": "" });
    const { haft, directory, state } = workspace;
    const usage = { input_tokens: 100, output_tokens: 20, cached_tokens: 40, cost: 0.5 };
    const asked = { ...answered("I look.", "c1"), usage } as ReturnType<typeof answered>;
    await talk(workspace, { name: "work" }, [said("Fix the login"), asked]);
    const batch = [
      { id: "c1", name: "read", arguments: { path: "a.txt" } },
      { id: "../../x", name: "read", arguments: { path: "none.txt" } },
    ];
    const input = JSON.stringify(batch);
    await haft(["batch", "-", "--session", "work"], { input });
    const parent = await talk(workspace, { name: "work" }, [said("Thanks"), ended]);
    await talk(workspace, { name: "work.finder", parent }, [said("Find it"), ended]);
    await haft(["call", "bash", "command=seq 1 60000", "--yes", "--sandbox", "off"]);
    const code = "await tools.read({ path: 'a.txt' }); return 1;";
    const program = ["call", "run_code", `code=${code}`, "--code", "--yes"];
    if (!isMissing("bwrap")) await haft([...program, "--session", "program"]);
    const { machine, url, apiKey, platform } = await serve(workspace);

    const listed = (await machine.sessions()).sessions;
    for (const { id } of listed.filter(({ name }) => name === "program")) {
      const nested = (await machine.calls(id)).calls;
      expect(nested.map(({ tool, parent: by }) => [tool, by])).toEqual([
        ["run_code", null],
        ["read", nested[0]?.id],
      ]);
      expect((await machine.timeline(id)).parent).toEqual([-1, 0]);
    }
    const sessions = listed.filter(({ name }) => name !== "program");
    expect(sessions.map(({ name }) => name)).toEqual(["default", "work"]);
    expect(sessions[1]).toMatchObject({
      ...{ id: parent, workspace: directory, workspace_exists: true, state: "ended" },
      ...{ title: "Fix the login", agent: "build", calls: 2, errors: 1 },
      usage: { input_tokens: 100, cost: 0.5 },
    });
    expect((await machine.sessions({ parent })).sessions).toMatchObject([{ name: "work.finder" }]);
    const until = sessions[0]?.last_used_at ?? "";
    const first = await machine.sessions({ limit: listed.length - 1 });
    const rest = await machine.sessions({ continuation_token: first.continuation_token ?? "" });
    expect([first.has_more, rest.has_more]).toEqual([true, false]);
    expect([...first.sessions, ...rest.sessions]).toEqual(listed);
    expect((await machine.sessions({ until })).sessions).toMatchObject([{ name: "work" }]);
    const found = await machine.sessions({ query: "login" });
    expect(found.sessions).toMatchObject([
      { id: parent, snippet: expect.stringContaining("login") },
    ]);
    expect((await machine.sessions({ state: "live" })).sessions).toEqual([]);
    expect((await machine.sessions({ failed: true, agent: "build" })).sessions).toMatchObject([
      { name: "work" },
    ]);
    expect((await machine.workspaces()).agents).toEqual(["build"]);
    expect((await machine.sessions({ workspace: "/elsewhere" })).sessions).toEqual([]);
    expect((await machine.workspaces()).workspaces).toMatchObject([
      { path: directory, exists: true, sessions: listed.length + 1 },
    ]);

    const { calls } = await machine.calls(parent);
    expect(calls).toMatchObject([
      {
        ...{ call_id: "c1", tool: "read", state: "done", parent: null, title: "a.txt" },
        preview: expect.stringContaining("<script>"),
        passage: { action: "allow", scope: "default", rule: "read ** allow" },
      },
      { call_id: "../../x", state: "error", error_code: "not-found" },
    ]);
    expect((await machine.calls(parent, { state: ["error"] })).calls).toHaveLength(1);
    const [, second] = calls;
    expect((await machine.calls(parent, { id: [second?.id ?? 0] })).calls).toEqual([second]);
    const filtered = async (query: object) => (await machine.timeline(parent, query)).id;
    expect(await filtered({ state: ["error"] })).toEqual([second?.id]);
    expect(await filtered({ query: "FIX THE" })).toEqual([1]);
    expect(await filtered({ query: "a.TXT" })).toEqual([calls[0]?.id]);
    expect(await filtered({ changed: true })).toEqual([]);
    const page = await machine.calls(parent, { limit: 1 });
    const next = { limit: 1, continuation_token: page.continuation_token ?? "" };
    expect((await machine.calls(parent, next)).calls).toMatchObject([{ call_id: "../../x" }]);
    expect(await machine.timeline(parent)).toMatchObject({
      ...{ sessions: [parent], tools: ["read"], omitted: 0, running: [] },
      states: ["user", "assistant", "done", "error", "turn-end"],
      ...{ id: [1, 2, ...calls.map(({ id }) => id), 4, 5], tool: [-1, -1, 0, 0, -1, -1] },
      ...{ state: [0, 1, 2, 3, 4, 0], parent: [-1, -1, -1, -1, -1, -1] },
    });
    const { messages } = await machine.messages(parent, { limit: 2 });
    expect(messages).toMatchObject([
      { type: "user", text: "Fix the login" },
      { type: "assistant", text: "I look.", calls: ["c1"] },
    ]);
    const whole = await machine.call(parent, calls[0]?.id ?? 0);
    expect(whole).toMatchObject({ arguments: { path: "a.txt" }, can_undo: false, diffs: [] });
    expect(whole.result_text).toContain(hostile.split("\n")[0]);

    const shell = sessions[0]?.id ?? "";
    const [command] = (await machine.calls(shell)).calls;
    const { sidecars } = await machine.call(shell, command?.id ?? 0);
    expect(sidecars).toMatchObject([{ name: command?.sidecar }]);
    const output = await machine.sidecar(shell, sidecars[0]?.name ?? "");
    expect(output).toHaveLength(sidecars[0]?.bytes ?? 0);
    expect(output).toContain("\n60000");

    // A link in the place of an output, and names that lead elsewhere.
    const outputs = join(state, "sessions", shell, "sidecars");
    symlinkSync("/etc/passwd", join(outputs, "link.txt"));
    expect((await refusal(machine.sidecar(shell, "link.txt"))).status).toBe(404);
    expect((await refusal(machine.sidecar(shell, "../session.json"))).status).toBe(422);
    expect((await refusal(machine.session("../../etc"))).status).toBe(422);
    expect((await refusal(machine.session("x-00000000/default"))).status).toBe(404);
    expect((await refusal(machine.call(parent, command?.id ?? 0))).status).toBe(404);
    expect((await refusal(machine.sessions({ continuation_token: "abc" }))).status).toBe(422);

    const organization = await platform.organization();
    const exported = await fetch(
      `${url}/v1/${organization}/machine/sessions/${encodeURIComponent(parent)}/export`,
      { headers: { authorization: `Bearer ${apiKey}` } },
    );
    expect(exported.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; .*sandbox$/u,
    );
    expect(exported.headers.get("content-disposition")).toBe('attachment; filename="work.html"');
    const html = await exported.text();
    expect(html).toContain("&#60;script&#62;");
    expect(html).not.toContain("<script");

    const cost = await machine.cost({ agent: "build" });
    expect(cost.total).toMatchObject({ requests: 1, input_tokens: 100, cost: 0.5, calls: 2 });
    expect(cost.requests).toMatchObject([{ agent: "build", model: "openai/m", requests: 1 }]);
    expect((await machine.cost()).tools).toEqual(
      expect.arrayContaining([expect.objectContaining({ tool: "bash", calls: 1, errors: 0 })]),
    );
    const unused = await machine.unused({ workspace: directory });
    const names = unused.tools.map(({ tool }) => tool);
    expect(names).toContain("grep");
    expect(names).not.toContain("read");
    expect(unused.definition_tokens).toBeGreaterThan(100);
  });

  it("undoes, redoes and forks, and tells what changed since", async () => {
    const workspace = createTestWorkspace({ "a.txt": "one\ntwo\n", "b.txt": "b\n" });
    const { haft, directory } = workspace;
    const file = join(directory, "a.txt");
    const edit = (path: string, old: string, text: string) =>
      haft(["call", "edit", `path=${path}`, `old_string=${old}`, `new_string=${text}`, "--yes"]);
    await haft(["call", "read", "path=a.txt"]);
    await haft(["call", "read", "path=b.txt"]);
    await edit("a.txt", "one", "ONE");
    await edit("b.txt", "b", "B");
    const { machine, platform, apiKey } = await serve(workspace);
    const [session] = (await machine.sessions()).sessions;
    const id = session?.id ?? "";
    expect(session).toMatchObject({ changed_files: 2 });
    const edits = async () =>
      (await machine.calls(id, { tool: ["edit"] })).calls.map((call) => call.id);
    const [first = 0] = await edits();
    const whole = await machine.call(id, first);
    expect(whole).toMatchObject({ can_undo: true, passage: { action: "ask", answer: "once" } });
    expect(whole.diffs).toMatchObject([{ diff: expect.stringContaining("+ONE") }]);

    const preview = await machine.previewUndo(id, first);
    expect(preview.undone).toMatchObject([
      { path: file, action: "restored", diff: expect.stringContaining("+one") },
    ]);
    expect(readFileSync(file, "utf8")).toBe("ONE\ntwo\n");

    // Only the first of two, and back again.
    const undone = await machine.undo(id, { call: first });
    expect(undone.undone).toMatchObject([{ path: file, action: "restored" }]);
    expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
    expect(readFileSync(join(directory, "b.txt"), "utf8")).toBe("B\n");
    expect((await refusal(machine.undo(id, { call: first }))).status).toBe(404);
    expect(await machine.call(id, undone.call ?? 0)).toMatchObject({
      ...{ can_undo: false, can_redo: true },
    });
    expect((await machine.previewUndo(id, undone.call ?? 0)).undone).toMatchObject([
      { diff: expect.stringContaining("+ONE") },
    ]);
    await machine.redo(id, { call: undone.call ?? 0 });
    expect(readFileSync(file, "utf8")).toBe("ONE\ntwo\n");

    // A later call changed the same line.
    await edit("a.txt", "ONE", "1");
    expect((await refusal(machine.previewUndo(id, first))).status).toBe(409);
    const conflict = await refusal(machine.undo(id, { call: first }));
    expect(conflict.status).toBe(409);
    expect(conflict.message).toMatch(/a\.txt: line 1 changed since/u);
    expect(readFileSync(file, "utf8")).toBe("1\ntwo\n");
    const refused = await fetch(
      `${platform.url}/v1/${await platform.organization()}/machine/sessions/${encodeURIComponent(id)}/undo`,
      {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ call: first }),
      },
    );
    expect(await refused.json()).toMatchObject({ path: file, since: [{ tool: "edit" }] });
    await machine.undo(id);
    expect(readFileSync(file, "utf8")).toBe("ONE\ntwo\n");
    const { entries } = (await platform.request(
      "GET",
      "/v1/{organization}/organization/audit",
    )) as {
      entries: { action: string; target: string }[];
    };
    expect(entries.map(({ action }) => action).filter((one) => one.startsWith("machine."))).toEqual(
      ["machine.undo", "machine.redo", "machine.undo"],
    );

    expect((await refusal(machine.fork(id))).status).toBe(409);
    const talked = await talk(workspace, { name: "work" }, [said("One"), answered("Two"), ended]);
    expect(await machine.fork(talked, { at: 2, name: "again" })).toMatchObject({
      ...{ name: "again", forked_from: talked, entries: 3 },
    });
    expect((await refusal(machine.fork(talked, { name: "again" }))).status).toBe(409);

    rmSync(directory, { recursive: true });
    const gone = await refusal(machine.undo(id));
    expect([gone.status, gone.message]).toEqual([409, expect.stringContaining("no longer exists")]);
    expect(await machine.call(id, first)).toMatchObject({ can_undo: false });
    expect(await machine.session(id)).toMatchObject({ workspace_exists: false });
  });

  it("lists and tries rules, and streams what happens", async () => {
    const workspace = createTestWorkspace({ "a.txt": "a\n" });
    const { haft, directory } = workspace;
    await haft(["permissions", "add", "bash git log allow"]);
    appendFileSync(join(directory, ".haft", "rules"), "# Mine\nwrite docs/** deny\n");
    await haft(["call", "write", "path=src/a", "content=x", "--yes"]);
    const { machine, platform, apiKey } = await serve(workspace);

    const { scopes } = await machine.rules({ workspace: directory });
    expect(scopes.find(({ scope }) => scope === "project")).toMatchObject({
      file: join(directory, ".haft", "rules"),
      rules: [
        { rule: "bash git log allow", line: 1, trusted: true },
        { rule: "write docs/** deny", line: 3, trusted: false },
      ],
    });
    expect(scopes.find(({ scope }) => scope === "default")?.rules.length).toBeGreaterThan(10);
    expect((await refusal(machine.rules({ workspace: "/etc" }))).status).toBe(404);

    const write = { workspace: directory, tool: "write" };
    const args = { path: "docs/a", content: "x" };
    const judged = await machine.check({ ...write, arguments: args, rules: ["write ** allow"] });
    expect(judged).toMatchObject({ action: "deny", stage: "project", rule: "write docs/** deny" });
    expect(judged.layers.map(({ layer, action }) => [layer, action])).toEqual([
      ["arguments", "allow"],
      ["available", "allow"],
      ["capability", "allow"],
      ["manifest", "none"],
      ["session", "allow"],
      ["project", "deny"],
      ["default", "none"],
      ["watchdog", "allow"],
      ["record", "allow"],
      ["files", "deny"],
    ]);
    expect(judged.uses).toEqual([
      { type: "file", key: join(directory, "docs/a"), mode: "write", effects: [] },
    ]);
    expect(await machine.check(write)).toMatchObject({
      layers: [{ layer: "arguments", action: "deny" }],
      uses: [],
    });
    const broken = machine.check({ ...write, arguments: args, rules: ["write nonsense"] });
    expect((await refusal(broken)).status).toBe(422);
    expect(await machine.simulate({ rule: "write src/** allow" })).toMatchObject({
      ...{ calls: 1, changed: 1, totals: [{ before: "ask", after: "allow", count: 1 }] },
      changes: [{ tool: "write" }],
    });
    const both = "bash git push allow\nwrite src/** allow";
    expect(await machine.simulate({ rule: both })).toMatchObject({ rule: both, changed: 1 });
    expect((await refusal(machine.simulate({ rule: "nonsense" }))).status).toBe(422);
    const streamed = await fetch(
      `${platform.url}/v1/${await platform.organization()}/machine/rules/simulate`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${apiKey}`,
          "content-type": "application/json",
          accept: "text/event-stream",
        },
        body: JSON.stringify({ rule: "write src/** allow" }),
      },
    );
    const progressed = await streamed.text();
    expect(progressed).toMatch(/^event: progress\ndata: \{"calls":1,"of":1,"changed":1\}\n\n/u);
    expect(progressed).toMatch(
      /event: result\ndata: \{"rule":"write src\/\*\* allow","sessions":1,/u,
    );

    const stop = new AbortController();
    const events = machine.events({ signal: stop.signal });
    const ready = (await events.next()).value;
    expect(ready).toMatchObject({ event: "ready", data: { live: [] } });
    await haft(["call", "read", "path=a.txt", "--session", "other"]);
    const told = (await events.next()).value;
    expect(told).toMatchObject({
      event: "call.ended",
      data: { tool: "read", session: expect.stringMatching(/\/other$/u) },
    });
    stop.abort();
    await events.next().catch(() => undefined);
    const again = machine.events({ after: ready?.id ?? "", signal: AbortSignal.timeout(60_000) });
    expect((await again.next()).value).toEqual(told);
    expect((await again.next()).value).toMatchObject({ event: "ready", id: told?.id });
    await again.return(undefined);
  });

  it("is for the first organization, for keys with the permission, and can be switched off", async () => {
    const workspace = createTestWorkspace({ "a.txt": "one\n" });
    await workspace.haft(["call", "read", "path=a.txt"]);
    const { url, machine, platform } = await serve(workspace);
    const as = (apiKey: string) => createPlatformClient({ url, apiKey }).machine;
    const [session] = (await machine.sessions()).sessions;
    const id = session?.id ?? "";
    await platform.roles.create({ name: "Reader", permissions: ["Machine:Read"] });
    await platform.roles.create({ name: "Nothing", permissions: ["Tool:GetTool"] });
    const key = async (role_name: string): Promise<string> =>
      (await platform.keys.create({ name: role_name, duration: "P1D", role_name })).api_key;
    const reader = as(await key("Reader"));
    expect((await reader.sessions()).sessions).toHaveLength(1);
    expect((await refusal(reader.undo(id))).status).toBe(403);
    const nothing = as(await key("Nothing"));
    expect((await refusal(nothing.sessions())).status).toBe(403);
    expect((await refusal(nothing.events().next())).status).toBe(403);
    const other = (await workspace.haft(["org", "create", "acme"])).json<{ api_key: string }>();
    for (const work of [as(other.api_key).sessions(), as(other.api_key).session(id)]) {
      expect([(await refusal(work)).status]).toEqual([404]);
    }
    const off = await serve(createTestWorkspace(), "--machine", "off");
    const refused = await refusal(off.machine.sessions());
    expect([refused.status, refused.message]).toEqual([404, expect.stringContaining("--machine")]);
  });
});
