import { createMemoryComputer } from "@haft/computer/memory";
import { defineTool } from "@haft/contract";
import { describe, expect, it } from "vitest";
import type { HookedCall, SessionHooks } from "../../hooks/session-hooks.ts";
import { createScriptedHost } from "../../hosts/scripted-host.ts";
import { createMemoryRecorder } from "../../recorder/memory-recorder.ts";
import { parseRule } from "../../rules/rule.ts";
import { startSession } from "../../test-support/start-session.ts";

const read = defineTool({
  id: "read",
  description: "Reads a file.",
  source: "builtin",
  kind: "read",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  requires: { fs: { read: ["{workspace}/**"] } },
  execution: {
    resourceKeys: (args) => [{ key: (args as { path: string }).path, mode: "read" }],
  },
  execute: async (args, { fs }) => ({
    text: new TextDecoder().decode(await fs.read((args as { path: string }).path)),
  }),
});

const nothing = { context: [], remarks: [] };

function createHooks(own: Partial<SessionHooks>): SessionHooks & { ended: number } {
  const hooks = {
    ended: 0,
    before: () => undefined,
    after: () => undefined,
    prompt: async () => ({ context: [] }),
    stop: async () => undefined,
    takeStop: () => undefined,
    end: async () => {
      hooks.ended++;
    },
    ...own,
  };
  return hooks;
}

function open(own: Partial<SessionHooks>, rules: readonly string[] = ["* * allow"]) {
  const computer = createMemoryComputer({ files: { "a.txt": "a\n", "secret/b.txt": "b\n" } });
  const host = createScriptedHost({ ask: "once" });
  const recorder = createMemoryRecorder();
  const hooks = createHooks(own);
  const options = { hooks, host, recorder, rules: rules.map(parseRule) };
  return { session: startSession(computer, [read], options), host, hooks, recorder };
}

const reading = (path: string) => ({ name: "read", arguments: { path } });

describe("hooks around a call", () => {
  it("refuse it, with the reason in result and record", async () => {
    const remarks = [{ event: "Before", hook: "guard", did: "denied" as const, text: "no" }];
    const { session, recorder } = open({
      before: async () => ({ ...nothing, deny: "the hook guard: no.", remarks }),
    });
    const result = await session.call(reading("a.txt"));
    expect(result).toMatchObject({
      error_text: "read was refused by the hook guard: no. It was not run.",
      metadata: { error_code: "denied", hooks: remarks },
    });
    expect([...recorder.list(session.id)].at(-1)?.result).toEqual(result);
  });

  it("change its arguments, which are then judged as if the model had sent them", async () => {
    const seen: unknown[] = [];
    const change = (path: unknown): Partial<SessionHooks> => ({
      before: async (call: HookedCall) => {
        seen.push(call.arguments);
        return { ...nothing, arguments: { path } };
      },
    });
    const rules = ["read * allow", "read secret/** deny"];
    const harmless = await open(change("@a.txt"), rules).session.call(reading("none.txt"));
    expect(harmless).toMatchObject({ type: "output", data: { text: "a\n" } });
    expect(await open(change("secret/b.txt"), rules).session.call(reading("a.txt"))).toMatchObject({
      metadata: { error_code: "denied" },
    });
    expect(await open(change("/etc/passwd"), rules).session.call(reading("a.txt"))).toMatchObject({
      metadata: { error_code: "out-of-scope" },
    });
    expect(await open(change([1]), rules).session.call(reading("a.txt"))).toMatchObject({
      metadata: { error_code: "invalid-arguments" },
    });
    expect(seen).toHaveLength(4);
  });

  it("have a person asked though a rule allows it, and again if an approved call was changed", async () => {
    const { session, host } = open({ before: async () => ({ ...nothing, ask: "odd" }) });
    expect(await session.call(reading("a.txt"))).toMatchObject({ type: "output" });
    expect(host.asked).toMatchObject([{ reason: "odd", rules: [] }]);

    const before = async () => ({ ...nothing, arguments: { path: "secret/b.txt" } });
    const changed = open({ before }, ["read * ask"]);
    const request = { ...reading("a.txt"), approved: true };
    expect(await changed.session.call(request)).toMatchObject({ data: { text: "b\n" } });
    expect(changed.host.asked).toMatchObject([{ arguments: { path: "secret/b.txt" } }]);
  });

  it("can't allow what a rule denies, and run for no call that was not executed afterwards", async () => {
    let after = 0;
    const { session } = open(
      {
        before: async () => nothing,
        after: async () => {
          after++;
          return nothing;
        },
      },
      ["* * deny"],
    );
    expect(await session.call(reading("a.txt"))).toMatchObject({
      metadata: { error_code: "denied" },
    });
    expect(after).toBe(0);
  });

  it("add text for the model before and after, and replace results", async () => {
    const { session } = open({
      before: async () => ({ ...nothing, context: ["first"] }),
      after: async ({ arguments: args }, { data }) => ({
        ...nothing,
        context: [JSON.stringify([args, data])],
        data: "other",
      }),
    });
    expect(await session.call(reading("a.txt"))).toMatchObject({
      data: "other",
      metadata: { notices: ["first", '[{"path":"a.txt"},{"text":"a\\n"}]'] },
    });
  });

  it("keep the next conflicting call waiting until they are done", async () => {
    const order: string[] = [];
    const tool = defineTool({
      ...read,
      requires: { fs: { write: ["{workspace}/**"] } },
      kind: "edit",
      execution: { resourceKeys: () => [{ key: "a", mode: "write" }] },
      execute: async (args) => {
        order.push(`run ${(args as { path: string }).path}`);
      },
    });
    const hooks = createHooks({
      after: async ({ arguments: args }) => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`after ${(args as { path: string }).path}`);
        return undefined;
      },
    });
    const session = startSession(createMemoryComputer(), [tool], { hooks });
    await session.batch([reading("1"), reading("2")]);
    expect(order).toEqual(["run 1", "after 1", "run 2", "after 2"]);
  });

  it("run in child sessions too, and end with the session that has them", async () => {
    const { session, hooks } = open({ before: async () => ({ ...nothing, deny: "no." }) });
    const child = startSession(createMemoryComputer(), [read], { parent: session.bounds });
    expect(await child.call(reading("a.txt"))).toMatchObject({
      metadata: { error_code: "denied" },
    });
    await child.close();
    expect(hooks.ended).toBe(0);
    await session.suspend();
    expect(hooks.ended).toBe(1);
  });
});
