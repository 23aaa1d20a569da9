import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { Computer } from "../../computer.ts";
import { createScriptedHost } from "../../hosts/scripted-host.ts";
import { parseRule } from "../../rules/rule.ts";
import type { SessionOptions } from "../../session/session-options.ts";
import { createHeldTool } from "../../test-support/held-tool.ts";
import { settle } from "../../test-support/settle.ts";
import { startSession } from "../../test-support/start-session.ts";

function setUp(options: Partial<SessionOptions> = {}, computer: Computer = createMemoryComputer()) {
  const read = createHeldTool("read", "read");
  const edit = createHeldTool("edit", "write");
  const session = startSession(computer, [read, edit], options);
  const started = (): string[] => [
    ...read.calls.map(({ args }) => `read ${(args as { key: string }).key}`),
    ...edit.calls.map(({ args }) => `edit ${(args as { key: string }).key}`),
  ];
  return { read, edit, session, started };
}

const request = (name: string, key: string) => ({ name, arguments: { key } });

describe("schedule", () => {
  it("runs [Read A, Read B, Edit A, Read C] as early as it may", async () => {
    const { read, edit, session, started } = setUp();
    const batch = session.batch([
      request("read", "A"),
      request("read", "B"),
      request("edit", "A"),
      request("read", "C"),
    ]);
    await settle();
    expect(started()).toEqual(["read A", "read B", "read C"]);
    read.calls[2]?.finish("C");
    read.calls[1]?.finish("B");
    await settle();
    expect(edit.calls).toHaveLength(0);
    read.calls[0]?.finish("A");
    await settle();
    expect(edit.calls).toHaveLength(1);
    edit.calls[0]?.finish("edited");
    const results = (await batch).map(({ result }) => result);
    expect(results).toMatchObject([
      { data: "A" },
      { data: "B" },
      { data: "edited" },
      { data: "C" },
    ]);
  });

  it("makes no difference between a batch and single calls", async () => {
    const { read, edit, session } = setUp();
    const first = session.call(request("edit", "A"));
    const second = session.call(request("read", "A"));
    await settle();
    expect(read.calls).toHaveLength(0);
    edit.calls[0]?.finish();
    await first;
    await settle();
    expect(read.calls).toHaveLength(1);
    read.calls[0]?.finish();
    await second;
  });

  it("does not wait for an earlier call that failed before it ran", async () => {
    const { edit, session } = setUp({ rules: [parseRule("edit A deny"), parseRule("* * allow")] });
    const [denied, other] = [
      session.call(request("edit", "A")),
      session.call(request("edit", "B")),
    ];
    expect(await denied).toMatchObject({ metadata: { error_code: "denied" } });
    await settle();
    edit.calls[0]?.finish();
    expect(await other).toMatchObject({ type: "output" });
  });

  it("waits for an earlier call that waits for a person", async () => {
    const answer = Promise.withResolvers<void>();
    const host = createScriptedHost({ ask: () => answer.promise.then(() => ({ answer: "once" })) });
    const rules = [parseRule("edit * ask"), parseRule("read * allow")];
    const { edit, read, session } = setUp({ host, rules });
    const batch = session.batch([request("edit", "A"), request("read", "A"), request("read", "B")]);
    await settle();
    expect(read.calls.map(({ args }) => args)).toEqual([{ key: "B" }]);
    answer.resolve();
    await settle();
    edit.calls[0]?.finish();
    await settle();
    for (const call of read.calls) call.finish();
    expect((await batch).map(({ result }) => result.type)).toEqual(["output", "output", "output"]);
  });

  it("keeps calls without a profile apart from everything", async () => {
    const mystery = new MockTool({ name: "mystery", execution: undefined as never });
    const read = createHeldTool("read", "read");
    const session = startSession(createMemoryComputer(), [mystery, read]);
    const batch = session.batch([request("read", "A"), { name: "mystery" }]);
    await settle();
    expect(mystery.callCount).toBe(0);
    read.calls[0]?.finish();
    await batch;
    expect(mystery.callCount).toBe(1);
  });

  it("keeps two sessions apart on one file, under any of its names", async () => {
    const computer = createMemoryComputer();
    const linked: Computer = {
      ...computer,
      identify: (path) => path.replace("/workspace/link", "/workspace/real"),
    };
    const one = setUp({ name: "one" }, linked);
    const two = setUp({ name: "two" }, linked);
    const writing = one.session.call(request("edit", "real"));
    const others = ["link", "real", "elsewhere"].map((key) =>
      two.session.call(request("read", key)),
    );
    await settle();
    expect(two.started()).toEqual(["read elsewhere"]);
    one.edit.calls[0]?.finish();
    await writing;
    await settle();
    expect(two.started()).toEqual(["read elsewhere", "read link", "read real"]);
    const again = one.session.call(request("edit", "real"));
    await settle();
    expect(one.edit.calls).toHaveLength(1);
    for (const call of two.read.calls) call.finish();
    await Promise.all(others);
    await settle();
    one.edit.calls[1]?.finish();
    await again;
  });

  it("keeps a reader away from a file that another session writes under another name", async () => {
    const linked: Computer = {
      ...createMemoryComputer(),
      identify: (path) => path.replace("/workspace/link", "/workspace/real"),
    };
    const one = setUp({ name: "one" }, linked);
    const two = setUp({ name: "two" }, linked);
    const writing = one.session.call(request("edit", "link"));
    const reading = two.session.call(request("read", "real"));
    await settle();
    expect(two.started()).toEqual([]);
    one.edit.calls[0]?.finish();
    await writing;
    await settle();
    two.read.calls[0]?.finish();
    expect(await reading).toMatchObject({ type: "output" });
  });

  it("does not delay sessions on different computers", async () => {
    const one = setUp();
    const two = setUp();
    const calls = [one, two].map(({ session }) => session.call(request("edit", "A")));
    await settle();
    expect([one.edit.calls.length, two.edit.calls.length]).toEqual([1, 1]);
    for (const { edit } of [one, two]) edit.calls[0]?.finish();
    await Promise.all(calls);
  });

  it("releases the files of a call that fails", async () => {
    const computer = createMemoryComputer();
    const one = setUp({ name: "one" }, computer);
    const two = setUp({ name: "two" }, computer);
    const failing = one.session.call(request("edit", "A"));
    const waiting = two.session.call(request("edit", "A"));
    await settle();
    one.edit.calls[0]?.fail(new Error("broken"));
    await failing;
    await settle();
    two.edit.calls[0]?.finish();
    expect(await waiting).toMatchObject({ type: "output" });
  });

  it("holds what it writes against other processes, and lets go whatever happens", async () => {
    const told: string[] = [];
    const computer: Computer = {
      ...createMemoryComputer(),
      holdFiles: (paths) => {
        told.push(`hold ${paths.join(" ")}`);
        return Promise.resolve(() => void told.push("release"));
      },
    };
    const { read, edit, session } = setUp({}, computer);
    const reading = session.call(request("read", "A"));
    await settle();
    read.calls[0]?.finish();
    await reading;
    expect(told).toEqual([]);
    const editing = session.call(request("edit", "A"));
    await settle();
    expect(told).toEqual(["hold /workspace/A"]);
    edit.calls[0]?.fail(new Error("broken"));
    await editing;
    expect(told).toEqual(["hold /workspace/A", "release"]);
  });

  it("ends a call that waits for another process when it is aborted", async () => {
    const computer: Computer = {
      ...createMemoryComputer(),
      holdFiles: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    };
    const { edit, session } = setUp({}, computer);
    const editing = session.call(request("edit", "A"));
    await settle();
    session.abort("enough");
    expect(await editing).toMatchObject({ metadata: { error_code: "cancelled" } });
    expect(edit.calls).toHaveLength(0);
  });
});
