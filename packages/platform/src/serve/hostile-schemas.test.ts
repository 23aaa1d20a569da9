import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openPlatform, type TestPlatform } from "./test-support/open-platform.ts";
import { nodeProject } from "./test-support/tool-projects.ts";

const code = "export const runTool = ({ toolInput }) => String(Object.keys(toolInput).length);\n";
const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const $defs = Object.fromEntries(
  many(40, (level) => {
    const $ref = `#/$defs/d${level - 1}`;
    return [`d${level}`, level === 0 ? { type: "null" } : { anyOf: [{ $ref }, { $ref }] }];
  }),
);
const doubling = { type: "object", properties: { a: { $ref: "#/$defs/d39" } }, $defs };

describe("a platform with tools that have hostile schemas", { timeout: 60_000 }, () => {
  let platform: TestPlatform;
  let greedy: string;
  let old: string;
  beforeAll(async () => {
    platform = await openPlatform();
    const inputSchema = {
      type: "object",
      properties: {
        words: { uniqueItems: true },
        text: { type: "string", pattern: "^(\\p{L}+\\s?)+$" },
        tree: { $ref: "#/$defs/tree" },
        link: { format: "url" },
      },
      $defs: { tree: { properties: { a: { allOf: many(2, () => ({ $ref: "#/$defs/tree" })) } } } },
    };
    await platform.push({
      ...nodeProject("greedy", { inputSchema }, code),
      ...nodeProject("old", {}, code),
      ...nodeProject("doubling", { inputSchema: doubling }, code),
    });
    [greedy, old] = await Promise.all([platform.createTool("greedy"), platform.createTool("old")]);
    await Promise.all([platform.publish(greedy, "greedy"), platform.publish(old, "old")]);
  }, 60_000);
  afterAll(() => platform?.close());

  it("refuses to publish what can't be bounded, naming the keyword", async () => {
    const id = await platform.createTool("doubling");
    const body = { project_path: "doubling", bump_type: "major" };
    expect(await platform.call("POST", `tool/${id}/version`, { body })).toMatchObject({
      status: 400,
      text: expect.stringMatching(/inputSchema.*more than 20000 schemas.*\$ref/u),
    });
  });

  it("continues serving while it is sent what such schemas are slow with", async () => {
    const nested = JSON.parse(`${'{"a":'.repeat(60)}1${"}".repeat(60)}`);
    const hostile: readonly (readonly [parameters: object, answer: RegExp])[] = [
      [{ words: many(100_000, (index) => `word ${index}`) }, /"output":"1"/u],
      [{ words: many(50_000, (index) => ({ index })) }, /"output":"1"/u],
      [{ text: `${"é".repeat(100_000)}!` }, /text must match pattern/u],
      [{ tree: nested }, /checking the value against #.*takes more steps/u],
      [{ link: `http://${":".repeat(200_000)}` }, /link|takes more steps/u],
    ];
    const answered: string[] = [];
    const invocations = hostile.map(async ([parameters, answer]) => {
      const result = await platform.invoke({ id: greedy }, [{ input_parameters: parameters }]);
      answered.push("invocation");
      expect(result.text).toMatch(answer);
    });
    const others = many(20, async () => {
      expect((await platform.call("GET", "tool/")).status).toBe(200);
      answered.push("other");
    });
    await Promise.all([...invocations, ...others]);
    expect(answered.lastIndexOf("invocation")).toBeGreaterThan(answered.indexOf("other"));
  });

  it("answers for a version that was published with such a schema before", async () => {
    const database = new DatabaseSync(join(platform.directory, "haft.db"));
    const update =
      "UPDATE tool_versions SET manifest = json_set(manifest, '$.inputSchema', json(?)) WHERE tool_id = ?";
    database.prepare(update).run(JSON.stringify(doubling), old);
    database.close();
    expect(await platform.invoke({ id: old }, [{ input_parameters: { a: 1 } }])).toMatchObject({
      status: 400,
      text: expect.stringMatching(
        /input schema of version .*can't be used: #.*\$ref.*Nothing was run/u,
      ),
    });
  });
});
