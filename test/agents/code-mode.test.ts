import { describe, expect, it } from "vitest";
import { call, type ModelRequest, say } from "./support/model-server.ts";
import { openPlace } from "./support/open-place.ts";

const slow = `text("first"); yield_control();
await tools.apply_patch({ input: "*** Begin Patch\\n*** Add File: made.txt\\n+made\\n*** End Patch" });
text((await tools.exec_command({ cmd: "cat made.txt" })).output);`;

function inputOf(request: ModelRequest | undefined): Record<string, unknown>[] {
  return (request?.body.input ?? []) as Record<string, unknown>[];
}

describe("haft agent --dialect codex --code", () => {
  it("offers a model of OpenAI exec as a tool for plain text, and answers with items", async () => {
    const { agent, model, modelOptions, read } = await openPlace([
      call("exec", { input: slow }),
      call("wait", { cell_id: "1" }),
      call("undo_edit", {}),
      say("Done."),
    ]);
    const { code, stderr } = await agent([
      ...modelOptions("openai"),
      ...["--dialect", "codex", "--code", "--yes"],
      "Make a file and undo it.",
    ]);
    expect(code, stderr).toBe(0);
    const [first, second, third, fourth] = model.requests;
    const tools = first?.body.tools as Record<string, unknown>[];
    expect(tools.find(({ name }) => name === "exec")).toEqual({
      type: "custom",
      name: "exec",
      description: expect.stringContaining("JavaScript"),
      format: {
        type: "grammar",
        syntax: "lark",
        definition: expect.stringMatching(/^start: /u),
      },
    });
    expect(tools.find(({ name }) => name === "wait")).toMatchObject({
      type: "function",
      parameters: { required: ["cell_id"] },
    });
    const sent = inputOf(second);
    const id = sent.at(-1)?.call_id;
    expect(sent.at(-2)).toMatchObject({ type: "custom_tool_call", call_id: id, input: slow });
    expect(sent.at(-1)).toEqual({
      type: "custom_tool_call_output",
      call_id: id,
      output: [
        { type: "input_text", text: expect.stringMatching(/^Script running with cell ID 1\n/u) },
        { type: "input_text", text: "first" },
      ],
    });
    expect(inputOf(third).at(-1)).toMatchObject({
      type: "function_call_output",
      output: [
        { type: "input_text", text: expect.stringMatching(/^Script completed\n/u) },
        { type: "input_text", text: "made\n" },
      ],
    });
    expect(fourth?.lastText).toContain("made.txt");
    expect(() => read("made.txt")).toThrow("ENOENT");
  });
});
