import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonSchema, Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../../../../scripts/setup/system-packages.mjs";
import { createProgramPool, type ProgramPool } from "../program-pool.ts";
import { listProgramTools } from "../program-tools.ts";
import { badPrograms, goodPrograms } from "../test-support/checked-programs.ts";
import { openPrograms } from "../test-support/open-programs.ts";
import { checkProgram } from "./check-program.ts";

const object = (properties: Record<string, JsonSchema>, required: string[] = []) =>
  ({ type: "object", properties, required, additionalProperties: false }) as const;
const text = { type: "string" } as const;

const tools: readonly Tool[] = [
  new MockTool({
    name: "crm-find",
    parameters: object({ query: text, order: { enum: ["newest", "oldest"] } }, ["query"]),
  }),
  new MockTool({ name: "untyped_thing" }),
  new MockTool({
    name: "deep_result",
    parameters: object({}),
    outputSchema: object({
      items: { type: "array", items: object({ owner: object({ name: text }) }) },
    }),
  }),
  new MockTool({
    name: "either_of",
    parameters: object({}),
    outputSchema: {
      anyOf: [
        object({ kind: { const: "file" }, size: { type: "number" } }),
        object({ kind: { const: "directory" }, entries: { type: "array", items: text } }),
      ],
    },
  }),
];

describe.skipIf(isMissing("bwrap"))("the check of a program", () => {
  const directory = mkdtempSync(join(tmpdir(), "haft-check-"));
  let pool: ProgramPool;
  beforeAll(() => {
    pool = createProgramPool(directory);
  });
  afterAll(async () => {
    await pool.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const check = async (code: string): Promise<string> => {
    const checked = await checkProgram(
      code,
      listProgramTools(openPrograms({}, { tools }).session),
      pool.checker,
    );
    return checked.kind === "wrong" ? checked.text : checked.kind;
  };

  it.each(goodPrograms)("lets pass %s", async (_, code) => {
    expect(await check(code)).toBe("fine");
  });

  it.each(badPrograms)("refuses %s", async (_, code, message) => {
    const found = await check(code);
    expect(found).toMatch(message);
    expect(found).toMatch(/\n\nNothing ran\.$/u);
  });
});
