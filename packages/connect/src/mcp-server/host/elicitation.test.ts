import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool, type Question } from "@haft/contract";
import { parseRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { connectClient, ways } from "../test-support/connect-client.ts";
import { openServing, type ServingOptions } from "../test-support/open-serving.ts";
import { approving } from "../test-support/sample-tools.ts";

const asking = (questions: readonly Question[]) =>
  defineTool({
    id: "ask_person",
    description: "Asks.",
    parameters: { type: "object", properties: {} },
    requires: {},
    kind: "other",
    source: "builtin",
    execute: async (_, { host }) => ({ answers: await host.question(questions) }),
  });

interface Form {
  readonly message: string;
  readonly requestedSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

describe.each(ways)("asking over %s in the %s era", (carrier, era) => {
  const open = async (answers: readonly object[] | undefined, options: ServingOptions = {}) => {
    const forms: Form[] = [];
    const left = [...(answers ?? [])];
    const serving = openServing(options);
    const elicit = (form: unknown) => {
      forms.push(form as Form);
      return left.shift() as never;
    };
    const client = await connectClient(
      serving,
      [carrier, era],
      answers === undefined ? {} : { elicit },
    );
    const write = (content: string) =>
      client.callTool({ name: "write", arguments: { path: "new.txt", content } });
    const written = () => readFileSync(join(serving.workspace, "new.txt"), "utf8");
    return { ...serving, client, forms, write, written };
  };
  const decide = (decision: string) => ({ action: "accept", content: { decision } });

  it("runs a call once that the person allows", async () => {
    const { write, written, forms, session } = await open([decide("once"), decide("once")]);
    let runs = 0;
    session.on("tool:pre", () => runs++);
    const result = await write("one\n");
    expect(result.isError).not.toBe(true);
    expect(written()).toBe("one\n");
    expect(runs).toBe(1);
    expect(forms).toHaveLength(1);
    expect(forms[0]?.message).toMatch(
      /^write: new\.txt {2}= one\nIt needs approval: .*\n\n {2}path: .*new\.txt\n {2}content:\n {4}\| one\n/u,
    );
    expect(forms[0]?.message).toMatch(/always allow it and store:\n {2}write .*new\.txt allow/u);
    expect(forms[0]?.requestedSchema.properties).toMatchObject({
      decision: { enum: ["once", "session", "project", "reject"] },
    });
    await write("two\n");
    expect(forms).toHaveLength(2);
  });

  it("asks about a call of a program during the call that runs it", async () => {
    const program = defineTool({
      id: "program",
      description: "Makes a call.",
      parameters: { type: "object", properties: {} },
      requires: {},
      kind: "other",
      source: "builtin",
      execution: { resourceKeys: () => [] },
      execute: async (_, { callId }) => {
        const calls = session.nest(callId);
        await calls?.call({ name: "write", arguments: { path: "new.txt", content: "inner" } });
        await calls?.end();
        return {};
      },
    });
    const options = { tools: [program], session: { rules: [parseRule("program * allow")] } };
    const { session, client, forms, written } = await open([decide("once")], options);
    await client.callTool({ name: "program", arguments: {} });
    expect(written()).toBe("inner\n");
    expect(forms[0]?.message).toContain("call 1 of the 1 that this program has made");
  });

  it("stores the rule of a person who says always", async () => {
    const { write, written, forms } = await open([decide("session")]);
    await write("one\n");
    await write("two\n");
    expect(written()).toBe("two\n");
    expect(forms).toHaveLength(1);
  });

  it.each([
    [decide("reject"), "rejected this call"],
    [decide("maybe"), "did not decide"],
    [{ action: "decline" }, "rejected this call"],
    [{ action: "cancel" }, "did not decide"],
    [{ action: "accept" }, "did not decide"],
  ])("treats %j as a rejection", async (answer, sentence) => {
    const { write, written } = await open([answer]);
    const result = await write("one\n");
    expect(result).toMatchObject({ isError: true, _meta: { error_code: "rejected-by-user" } });
    expect(JSON.stringify(result.content)).toContain(sentence);
    expect(written).toThrow();
  });

  it("refuses where the client can't ask, or has its fallback answer", async () => {
    const headless = await open(undefined);
    expect(await headless.write("one\n")).toMatchObject({
      isError: true,
      _meta: { error_code: "headless" },
    });
    const approved = await open(undefined, { host: { fallback: approving } });
    expect((await approved.write("one\n")).isError).not.toBe(true);
  });

  it("leaves to the fallback what it is not to ask clients", async () => {
    const host = { fallback: approving, elicits: ["question"] } as const;
    const { write, forms } = await open([], { host });
    expect((await write("one\n")).isError).not.toBe(true);
    expect(forms).toEqual([]);
  });

  it("puts a tool's questions as one form, after the person allowed the call", async () => {
    const questions: Question[] = [
      {
        question: "Which colour?",
        header: "Colour",
        options: [{ label: "red" }, { label: "blue" }],
      },
      { question: "Which sizes?", options: [{ label: "S" }, { label: "M" }], multi_select: true },
      { question: "Why?" },
    ];
    const content = { answer_1: "blue", answer_2: ["S", "M"], answer_3: "Because." };
    const { client, forms } = await open([decide("once"), { action: "accept", content }], {
      tools: [asking(questions)],
    });
    const result = await client.callTool({ name: "ask_person", arguments: {} });
    expect(result.content).toEqual([
      { type: "text", text: 'answers: [["blue"],["S","M"],["Because."]]' },
    ]);
    expect(forms[1]?.requestedSchema.properties).toMatchObject({
      answer_1: { type: "string", title: "Colour", enum: ["red", "blue"] },
      answer_2: { type: "array", items: { enum: ["S", "M"] } },
      answer_3: { type: "string", title: "Why?" },
    });
  });

  it("tells a tool that its question was not answered", async () => {
    const { client } = await open([decide("once"), { action: "decline" }], {
      tools: [asking([{ question: "Why?" }])],
    });
    const result = await client.callTool({ name: "ask_person", arguments: {} });
    expect(result).toMatchObject({ isError: true, _meta: { error_code: "rejected-by-user" } });
  });

  it("asks the person of the client whose call it is", async () => {
    const serving = openServing();
    const connect = (name: string) =>
      connectClient(serving, [carrier, era], {
        elicit: ({ message }) => decide(message.includes(name) ? "once" : "reject") as never,
      });
    const names = ["one", "two", "three"];
    const results = await Promise.all(
      names.map(async (name) => {
        const client = await connect(name);
        return client.callTool({ name: "write", arguments: { path: name, content: "x" } });
      }),
    );
    expect(results.map(({ isError }) => isError === true)).toEqual([false, false, false]);
  });
});

describe("an answer in the modern era", () => {
  const open = async () => {
    const serving = openServing();
    const client = await connectClient(serving, ["stdio", "modern"], {
      elicit: () => ({ action: "accept", content: { decision: "once" } }),
      inputRequired: { autoFulfill: false },
    });
    const call = (more: object, content = "x") => {
      const params = { name: "write", arguments: { path: "new.txt", content }, ...more };
      return client.request(
        { method: "tools/call", params } as never,
        {
          allowInputRequired: true,
        } as never,
      ) as Promise<Record<string, never>>;
    };
    const [inputRequests, requestState] = await call({}).then(
      ({ inputRequests, requestState }) => [inputRequests, requestState] as const,
    );
    const key = Object.keys(inputRequests ?? {})[0] as string;
    const inputResponses = { [key]: { action: "accept", content: { decision: "once" } } };
    return { ...serving, call, requestState, inputResponses, client };
  };

  it("holds once, for the call that the person saw", async () => {
    const { call, requestState, inputResponses, session } = await open();
    let runs = 0;
    session.on("tool:pre", () => runs++);
    const other = call({ requestState, inputResponses }, "other");
    await expect(other).rejects.toMatchObject({ code: -32602 });
    await expect(call({ requestState: "guessed", inputResponses })).rejects.toMatchObject({
      code: -32602,
    });
    expect(runs).toBe(0);
    expect(await call({ requestState, inputResponses })).toMatchObject({ content: [{}] });
    await expect(call({ requestState, inputResponses })).rejects.toMatchObject({ code: -32602 });
    expect(runs).toBe(1);
  });

  it("is asked for again if it did not come", async () => {
    const { call, requestState, inputResponses } = await open();
    const again = await call({ requestState });
    expect(again).toMatchObject({ resultType: "input_required" });
    expect(again.requestState).not.toBe(requestState);
    const last = await call({ requestState: again.requestState, inputResponses });
    expect(last).toMatchObject({ content: [{}] });
  });

  it("is no longer waited for when the client is gone", async () => {
    const { session, client } = await open();
    const ended = new Promise<string | undefined>((resolve) => {
      session.on("tool:error", ({ result }) => resolve(result.metadata.error_code));
    });
    await client.close();
    expect(await ended).toBe("cancelled");
  });
});
