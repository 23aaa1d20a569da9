import { expect, it } from "vitest";
import type { ToolManifest } from "../project/manifest.ts";
import type { ToolProgram, ToolRun, ToolRunResult } from "../runner/runner.ts";
import { runCases } from "./run-cases.ts";

const manifest = {
  inputSchema: { type: "object", required: ["n"] },
} as unknown as ToolManifest;

async function run(
  files: Readonly<Record<string, unknown>>,
  act: (run: ToolRun) => Partial<ToolRunResult> = ({ input }) => ({
    output: JSON.stringify({ sum: Number(input.n) * 2, at: Math.random(), key: "hush-hush" }),
  }),
): Promise<string[]> {
  const lines: string[] = [];
  const project = new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      Buffer.from(typeof content === "string" ? content : JSON.stringify(content)),
    ]),
  );
  await runCases(
    project,
    { manifest },
    {
      runner: {
        run: async (_program, one) => {
          expect(one.mode).toBe("conversation-simulation");
          return { succeeded: true, durationMs: 1, ...act(one) } as ToolRunResult;
        },
      },
      program: {} as ToolProgram,
      variables: { values: { KEY: "hush-hush" }, secrets: ["hush-hush"] },
      log: (line) => lines.push(line),
    },
  );
  return lines;
}

const ignore = ["at"];
const right = { input: { n: 2 }, output: { sum: 4, at: 0, key: "•••" }, ignore };

it("passes when every case repeats its result, without the ignored paths", async () => {
  expect(await run({ "cases/a.json": right, "cases/deep/b.json": "no", "a.json": "no" })).toEqual([
    "The case passed.",
  ]);
  const failing = { input: { n: 1 }, error: "RangeError: too large" };
  const act = (): Partial<ToolRunResult> => ({
    ...{ succeeded: false, exceptionType: "RangeError", exceptionMessage: "too large" },
    exceptionStackTrace: [],
  });
  expect(await run({ "cases/b.json": failing }, act)).toEqual(["The case passed."]);
  expect(await run({})).toEqual([]);
});

it("names the cases that fail, and where", async () => {
  const wrong = { ...right, output: { sum: 5, key: "•••" } };
  const refused = { input: {}, output: "x" };
  const files = { "cases/a.json": right, "cases/b.json": wrong, "cases/c.json": refused };
  await expect(run(files)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(
      /^2 cases failed\. "cases\/b\.json": expected 5 at sum, got 4\. "cases\/c\.json": the input schema refuses its input: .*Fix the tool/u,
    ),
  });
});

it.each([
  ["{", "is not valid JSON"],
  ["[]", "must be a JSON object"],
  [{ output: 1 }, "needs an input"],
  [{ input: {} }, "needs either output"],
  [{ input: {}, output: 1, error: "x" }, "needs either output"],
  [{ input: {}, error: 7 }, "error that is not text"],
  [{ input: {}, output: 1, ignore: "a" }, "not a list of paths"],
])("refuses a file that is no case: %j", async (content, message) => {
  await expect(run({ "cases/a.json": content })).rejects.toThrow(`cases/a.json`);
  await expect(run({ "cases/a.json": content })).rejects.toThrow(message);
});
