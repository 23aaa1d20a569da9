import type { JsonValue } from "@haft/contract";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { computers } from "../test-support/computers.ts";
import { todo } from "./todo.ts";

const none = { pending: 0, in_progress: 0, completed: 0, cancelled: 0 };

describe("todo", () => {
  it("starts with an empty list", async () => {
    expect(await todo.execute({}, createTestRuntime())).toEqual({ todos: [], summary: none });
  });

  it("replaces the list, gives ids and counts", async () => {
    const runtime = createTestRuntime();
    await todo.execute({ todos: [{ content: "old", status: "pending" }] }, runtime);
    const data = await todo.execute(
      {
        todos: [
          { content: "a", status: "completed", priority: "high" },
          { content: "b", status: "in_progress" },
          { content: "c", status: "in_progress" },
          { content: "d", status: "cancelled" },
        ],
      },
      runtime,
    );
    expect(data).toEqual({
      todos: [
        { id: "1", content: "a", status: "completed", priority: "high" },
        { id: "2", content: "b", status: "in_progress" },
        { id: "3", content: "c", status: "in_progress" },
        { id: "4", content: "d", status: "cancelled" },
      ],
      summary: { pending: 0, in_progress: 2, completed: 1, cancelled: 1 },
    });
    expect(await todo.execute({}, runtime)).toEqual(data);
  });

  it("forgets everything with an empty list", async () => {
    const runtime = createTestRuntime();
    await todo.execute({ todos: [{ content: "a", status: "pending" }] }, runtime);
    await todo.execute({ todos: [] }, runtime);
    expect(await todo.execute({}, runtime)).toEqual({ todos: [], summary: none });
  });

  it("keeps given ids and puts its own around them", async () => {
    const todos = [
      { content: "a", status: "pending" as const },
      { content: "b", status: "pending" as const, id: "1" },
      { content: "c", status: "pending" as const },
      { content: "d", status: "pending" as const, id: "x" },
      { content: "e", status: "pending" as const, id: "3" },
      { content: "f", status: "pending" as const },
    ];
    const data = await todo.execute({ todos }, createTestRuntime());
    expect(data.todos.map(({ id }) => id)).toEqual(["2", "1", "4", "x", "3", "5"]);
  });

  it("refuses two todos of one id and keeps the old list", async () => {
    const runtime = createTestRuntime();
    await todo.execute({ todos: [{ content: "old", status: "pending" }] }, runtime);
    const twin = { content: "a", status: "pending", id: "7" } as const;
    await expect(todo.execute({ todos: [twin, twin] }, runtime)).rejects.toMatchObject({
      code: "invalid-arguments",
      message: 'Two todos have the id "7".',
    });
    expect((await todo.execute({}, runtime)).todos).toHaveLength(1);
  });

  it.each<JsonValue>([
    "broken",
    { todos: [] },
    [null],
    [{ id: 1, content: "a", status: "pending" }],
    [{ id: "1", content: "a", status: "doing" }],
    [{ id: "1", content: "a", status: "pending", priority: "urgent" }],
  ])("starts again where the stored list is damaged: %j", async (stored) => {
    const runtime = createTestRuntime();
    await runtime.session.state.set("todos", stored);
    expect(await todo.execute({}, runtime)).toEqual({ todos: [], summary: none });
  });

  it("only reads its list without todos, and writes it with them", () => {
    expect(todo.execution?.resourceKeys?.({})).toEqual([
      { key: "todos", mode: "read", type: "name" },
    ]);
    expect(todo.execution?.resourceKeys?.({ todos: [] })).toEqual([
      { key: "todos", mode: "write", type: "name" },
    ]);
  });

  it("changes nothing when it is already aborted", async () => {
    const runtime = createTestRuntime({ signal: AbortSignal.abort() });
    await expect(todo.execute({ todos: [] }, runtime)).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe.each(computers)("todo %s", (_, make) => {
  it("keeps the list with the session", async () => {
    const computer = make();
    const runtime = (name: string) => {
      const { id, state } = computer.openSession(name);
      return createTestRuntime({ session: { id, roots: computer.roots, state } });
    };
    await todo.execute({ todos: [{ content: "a", status: "pending" }] }, runtime("one"));
    expect((await todo.execute({}, runtime("one"))).todos).toHaveLength(1);
    expect((await todo.execute({}, runtime("two"))).todos).toHaveLength(0);
  });
});

const item = { content: "a", status: "pending" };

describeToolContract(todo, [
  { name: "nothing", arguments: {}, expect: { data: { todos: [] } } },
  {
    name: "a list",
    arguments: { todos: [item, { ...item, priority: "low", id: "z" }] },
    expect: { data: { todos: [{ id: "1" }, { id: "z" }], summary: { pending: 2 } } },
  },
  {
    name: "200 items",
    arguments: { todos: Array.from({ length: 200 }, () => item) },
    expect: { data: { summary: { pending: 200 } } },
  },
  {
    name: "201 items",
    arguments: { todos: Array.from({ length: 201 }, () => item) },
    expect: { error: "invalid-arguments" },
  },
  {
    name: "an unknown status",
    arguments: { todos: [{ ...item, status: "doing" }] },
    expect: { error: "invalid-arguments" },
  },
  {
    name: "one id twice",
    arguments: {
      todos: [
        { ...item, id: "1" },
        { ...item, id: "1" },
      ],
    },
    expect: { error: "invalid-arguments" },
  },
]);
