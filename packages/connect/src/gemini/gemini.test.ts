import { type Content, type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { describe, expect, it } from "vitest";
import { openAgent, pixel } from "../formats/test-support/open-agent.ts";
import { scriptModel } from "../formats/test-support/script-model.ts";
import { runGeminiCalls, toGeminiTools } from "./index.ts";

describe("a loop over Gemini", () => {
  it("answers parallel calls in order, with errors and images, and continues", async () => {
    const { session, content } = openAgent();
    const asked = [
      { id: "c0", name: "read", args: { path: "a.txt" } },
      { id: "c1", name: "edit", args: { path: "a.txt", old_string: "beta", new_string: "delta" } },
      { name: "grep", args: { pattern: "delta|gamma" } },
      { id: "c3", name: "read", args: { path: "dot.png" } },
      { id: "c4", name: "raed", args: {} },
      { id: "c5", name: "read" },
    ];
    const parts = asked.map((functionCall) => ({ functionCall }));
    const model = await scriptModel([
      { candidates: [{ content: { role: "model", parts } }] },
      { candidates: [{ content: { role: "model", parts: [{ text: "Done." }] } }] },
    ]);
    const client = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: model.url } });

    const contents: Content[] = [{ role: "user", parts: [{ text: "Go." }] }];
    let response: GenerateContentResponse;
    for (;;) {
      const config = { tools: toGeminiTools(session) };
      response = await client.models.generateContent({ model: "m", contents, config });
      contents.push(response.candidates?.[0]?.content as Content);
      const answers = await runGeminiCalls(session, response.functionCalls);
      if (answers.length === 0) break;
      contents.push({ role: "user", parts: answers });
    }

    expect(response.text).toBe("Done.");
    expect(content("a.txt")).toBe("alpha\ndelta\n");
    const sent = (model.request(1).contents as Content[])[2]?.parts ?? [];
    const answers = sent.map(({ functionResponse }) => functionResponse);
    expect(answers.map((one) => [one?.id, one?.name])).toEqual(
      asked.map(({ id, name }) => [id, name]),
    );
    expect(answers[0]?.response?.output).toContain("1: alpha\n2: beta");
    expect(answers[1]?.response?.output).toContain("-beta\n+delta");
    expect(answers[2]?.response?.output).toContain("a.txt\n2: delta\n\nb.txt\n1: gamma");
    expect(answers[3]?.parts).toEqual([{ inlineData: { mimeType: "image/png", data: pixel } }]);
    expect(answers[4]?.response?.error).toContain('no tool named "raed"');
    expect(answers[5]?.response?.error).toContain("path is missing");
    const [first] = model.request(0).tools as ReturnType<typeof toGeminiTools>;
    const read = first?.functionDeclarations.find(({ name }) => name === "read");
    expect(read?.parametersJsonSchema).toMatchObject({
      type: "object",
      properties: { path: { type: "string" }, offset: { type: "integer", minimum: 1 } },
      required: ["path"],
    });
  });

  it("puts images beside the answers for models that take none inside", async () => {
    const { session } = openAgent();
    const call = { id: "1", name: "read", args: { path: "dot.png" } };
    const parts = await runGeminiCalls(session, [call, call], { images: "beside" });
    expect(parts.map((part) => Object.keys(part)[0])).toEqual([
      "functionResponse",
      "functionResponse",
      "inlineData",
      "inlineData",
    ]);
  });

  it("has nothing to say where nothing was called, and no list where there are no tools", async () => {
    expect(await runGeminiCalls(openAgent().session, undefined)).toEqual([]);
    const without = openAgent({ mode: { includeTools: [] } });
    expect(toGeminiTools(without.session)).toEqual([]);
  });
});
