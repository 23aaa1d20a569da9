import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { type StartedHaft, startHaft } from "./test-support/start-haft.ts";

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};
const count = 20;
const names = Array.from({ length: count }, (_, at) => `${at}.txt`);
const impatient = { _meta: { "haft/maxWaitMs": 0 } };

it("runs calls that wait once or not at all, whatever is killed and however often it is answered", async () => {
  const workspace = createTestWorkspace(Object.fromEntries(names.map((name) => [name, "x"])));
  const start = async (): Promise<StartedHaft> => {
    const started = startHaft(workspace, ["mcp"]);
    await started.ask("initialize", hello);
    return started;
  };
  const kill = async ({ child, ended }: StartedHaft): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  // Doubles the file each time it runs.
  const double = { old_string: "x", new_string: "xx", replace_all: true };
  const inquire = async ({ ask }: StartedHaft, id: string | undefined, more: object = {}) =>
    (await ask("tools/call", { name: "get_tool_call_status", arguments: { id }, ...more })).result;
  const answers = names.map((_, at) => (at % 5 === 0 ? "no" : "once"));
  const answer = async (at: number, given = answers[at] ?? "no"): Promise<number> =>
    (await workspace.haft(["inbox", "answer", ids[at] ?? "", given])).exitCode;

  const first = await start();
  const asked = await Promise.all(
    names.map((path) =>
      first.ask("tools/call", { name: "edit", arguments: { path, ...double }, ...impatient }),
    ),
  );
  const ids = asked.map(({ result }) => /[0-9a-f]{32}/u.exec(result.content[0]?.text ?? "")?.[0]);
  expect(new Set(ids).size).toBe(count);
  await kill(first);

  const order = names.map((_, at) => at).sort(() => Math.random() - 0.5);
  const early = order.slice(0, count / 2);
  for (const at of early) expect(await answer(at)).toBe(0);

  // Killed while it runs what was answered, after a few results.
  const second = await start();
  let left = 3;
  const some = Promise.withResolvers<void>();
  for (const id of ids) {
    inquire(second, id, impatient)
      .then(() => --left === 0 && some.resolve())
      .catch(() => {});
  }
  await some.promise;
  await kill(second);

  const third = await start();
  const late = order.slice(count / 2).flatMap((at) => [at, at]);
  const ended = Promise.all(ids.map((id) => inquire(third, id)));
  const codes = await Promise.all(late.map(async (at) => [at, await answer(at)] as const));
  for (const at of new Set(late)) {
    expect(codes.filter(([one, code]) => one === at && code === 0)).toHaveLength(1);
  }
  for (const at of early) expect(await answer(at, "once")).not.toBe(0);
  const results = await ended;
  for (const [at, { isError, content }] of results.entries()) {
    const text = content[0]?.text ?? "";
    const size = readFileSync(join(workspace.directory, names[at] ?? ""), "utf8").length;
    const isUnknown = text.includes("may have had effects");
    if (answers[at] === "no") expect([size, isError]).toEqual([1, true]);
    else if (isUnknown) expect([1, 2]).toContain(size);
    else expect([size, isError, text]).toEqual([2, undefined, expect.any(String)]);
    // Asking again runs nothing again.
    expect((await inquire(third, ids[at])).content[0]?.text).toBe(text);
  }
  third.child.stdin?.end();
  await once(third.child, "close");
});

it("uses an approval when the command that was killed is repeated, and only once", async () => {
  const workspace = createTestWorkspace({ "a.txt": "x" });
  const edit = ["path=a.txt", "old_string=x", "new_string=xx", "replace_all:=true"];
  const words = ["call", "edit", ...edit, "--json", "--wait", "10m"];
  const killed = startHaft(workspace, words);
  const list = async () =>
    (await workspace.haft(["inbox", "--json"])).json<{ items: { id: string }[] }>().items;
  let items = await list();
  while (items.length === 0) items = await list();
  killed.child.kill("SIGKILL");
  await killed.ended;
  const answered = await workspace.haft(["inbox", "answer", items[0]?.id ?? "", "once"]);
  expect(answered.stdout).toContain("haft call has ended");
  expect((await workspace.haft(words)).exitCode).toBe(0);
  expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("xx");
  const stop = new AbortController();
  const third = workspace.haft(words, { signal: stop.signal });
  while ((await list()).length === 0);
  stop.abort();
  expect((await third).exitCode).not.toBe(0);
  expect(await list()).toEqual([]);
  expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("xx");
});
