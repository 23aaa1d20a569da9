import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer, type StartedProgram } from "@haft/computer";
import type { JsonSchema, Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../../scripts/setup/system-packages.mjs";
import { createProgramPool } from "../program-pool.ts";
import { listProgramTools } from "../program-tools.ts";
import { badPrograms, goodPrograms } from "../test-support/checked-programs.ts";
import { openPrograms } from "../test-support/open-programs.ts";
import { checkProgram } from "./check-program.ts";
import { findCompiler } from "./find-compiler.ts";
import { declareFor } from "./program-declarations.ts";
import { type CheckerOptions, createTypeChecker } from "./type-checker.ts";

const object = (properties: Record<string, JsonSchema>, required: string[] = []) =>
  ({ type: "object", properties, required, additionalProperties: false }) as const;
const text = { type: "string" } as const;

const tools: readonly Tool[] = [
  new MockTool({
    name: "crm-find",
    parameters: object({ query: text, order: { enum: ["newest", "oldest"] } }, ["query"]),
  }),
  new MockTool({ name: "untyped_thing" }),
  new MockTool({ name: "search", parameters: object({ query: text }, ["query"]) }),
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
  const pool = createProgramPool(directory);
  afterAll(async () => {
    await pool.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const check = async (code: string, own: readonly Tool[] = tools): Promise<string> => {
    const { session } = openPrograms({}, { tools: own });
    const checked = await checkProgram(code, listProgramTools(session), pool.checker);
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

  it("lists five mistakes, and each signature once", async () => {
    const found = await check("await tools.read({ x: 1 });\n".repeat(8));
    expect(found).toMatch(/^The program has 8 errors:/u);
    expect(found.match(/^\d+:\d+ /gmu)).toHaveLength(5);
    expect(found.match(/^read\(args/gmu)).toHaveLength(1);
    expect(found).toContain("Not listed: 3 more.");
  });

  it("knows every global that a program has", async () => {
    const { run } = openPrograms();
    const result = await run("return Object.getOwnPropertyNames(globalThis);");
    const names = (result.type === "output" ? result.data.result : []) as string[];
    expect(names).toContain("Iterator");
    // Functions that only browsers kept, and what the engine adds.
    const odd = ["escape", "unescape", "console"];
    const used = names.filter((name) => !odd.includes(name) && name !== "globalThis");
    expect(await check(used.map((name) => `print(${name});`).join("\n"))).toBe("fine");
  });

  it("can't be misled by the names, values and texts in a schema", async () => {
    const names = [
      'a"; } declare const tools: any; interface X { "b',
      "*/ declare const tools: any; /*",
      "x\n}\ndeclare const tools: any;\n",
      "\u2028} declare const tools: any;",
      "`$" + "{tools}`",
      "\\",
      "__proto__",
      "constructor",
      "new",
      "readonly",
      "",
      "\ud800",
    ];
    const entries = names.map((name) => [name, { enum: names, description: name }] as const);
    const schema = object(Object.fromEntries(entries));
    const hostile = new MockTool({
      name: "hostile",
      description: names.join(),
      parameters: object({ value: { anyOf: [schema, { type: "null" }] }, good: text }, ["good"]),
      outputSchema: { anyOf: [schema, object({ [names[0] as string]: text })] },
    });
    const found = await check(
      "const r = await tools.hostile({ value: null });\nr.nothing.x;\ntools.hostle();",
      [hostile],
    );
    expect(found).toMatch(/^1:31 tools\.hostile needs good\.$/mu);
    expect(found).toMatch(/^2:3 The result of tools\.hostile has no property nothing\. It has /mu);
    expect(found).toMatch(/^3:7 There is no tool hostle\. Did you mean tools\.hostile\?$/mu);
    expect(
      await check('await tools.hostile({ good: "a", value: { new: "new" } });', [hostile]),
    ).toBe("fine");
  });

  it("declares only what a program mentions, and so much of that", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`property_${at}`, text]),
    );
    const many = Array.from(
      { length: 1_000 },
      (_, at) => new MockTool({ name: `many_${at}`, parameters: object(properties) }),
    );
    const { session } = openPrograms({}, { tools: many });
    const listed = listProgramTools(session);
    expect(declareFor("await tools.many_7({});", listed).text.length).toBeLessThan(10_000);
    const all = many.map(({ id }) => `await tools.${id}({});`).join("\n");
    expect(declareFor(all, listed).text.length).toBeLessThan(400_000);
    expect(await check(all, many)).toBe("fine");
    expect(await check("await tools.many_7({ x: 1 });", many)).toContain("has no parameter x");
  });

  it("is about the program that was sent, whatever its characters", async () => {
    const found = await check(
      'const a = "\ud800\u2028\u202e";\r\n/* \ufeff */ tools.reed();\rtools.gl0b();',
    );
    expect(found).toMatch(/^2:15 There is no tool reed/mu);
    expect(found).toMatch(/^3:7 There is no tool gl0b/mu);
  });

  it.each([
    [
      "a reference",
      '/// <reference path="/etc/passwd" />\n/// <reference types="node" />\nreturn process.env;',
    ],
    [
      "a type of a module",
      'let s: import("node:fs").Stats; type P = typeof import("/etc/passwd");\nreturn process.env;',
    ],
    ["a directive", "// @ts-nocheck\nreturn process.env;"],
    ["a global declaration", "declare global { const process: any; }\nreturn process.env;"],
  ])("reads no other file because of %s", async (_, code) => {
    expect(await check(code)).toContain("process is not defined");
  });

  it("ends a compiler that hangs, and checks the next program with another", async () => {
    const endless =
      "type F<N extends any[]> = N['length'] extends 999999 ? N : F<[...N, 1]>; let x: F<[]>;\n" +
      "type D = 0|1|2|3|4|5|6|7|8|9; type N = `$" +
      "{D}$" +
      "{D}$" +
      "{D}$" +
      "{D}`;\n" +
      "type O = { [K in N]: { [L in N]: K | L } };\n" +
      "let o: O; let q: O = o as any as { [K in N]: { [L in N]: L } };";
    const { run } = openPrograms();
    expect(await check(endless)).toBe("unchecked");
    expect(await check("tools.reed();")).toContain("There is no tool reed");
    expect(await run(`${endless}\nreturn "ran";`)).toMatchObject({
      data: {
        output: "ran",
        notes: [
          "The program ran without a check of its types: the check took more than 2 seconds.",
        ],
      },
    });
  });
});

describe.skipIf(isMissing("bwrap"))("the compiler", () => {
  const open = (find?: CheckerOptions["find"]) => {
    const directory = mkdtempSync(join(tmpdir(), "haft-compiler-"));
    const [workspace, own] = [join(directory, "empty"), join(directory, "types")];
    mkdirSync(workspace);
    const computer = createDiskComputer({
      workspace,
      stateDirectory: join(directory, "state"),
      sandbox: "required",
      isBare: true,
    });
    const starts: Parameters<typeof computer.startProgram>[0][] = [];
    const programs: StartedProgram[] = [];
    const checker = createTypeChecker({
      directory: own,
      computer: () => ({
        startProgram: async (start) => {
          starts.push(start);
          const program = await computer.startProgram(start);
          programs.push(program);
          return program;
        },
      }),
      ...(find !== undefined && { find }),
    });
    onTestFinished(async () => {
      await checker.close();
      rmSync(directory, { recursive: true, force: true });
    });
    return { checker, starts, programs, own };
  };

  it("sees its own files only, and is started again after it has ended", async () => {
    const { checker, starts, programs, own } = open();
    expect(await checker.check("x.y;", "")).toMatchObject({ diagnostics: [{ code: 2304 }] });
    const { directory = "" } = findCompiler() ?? {};
    expect(starts).toMatchObject([
      { cwd: own, reads: [directory, own], writes: [], isUntrusted: true },
    ]);
    expect(starts[0]?.hosts).toBeUndefined();
    expect(programs[0]?.isolation).toBe("sandbox");
    await programs[0]?.stop();
    await programs[0]?.ended;
    expect(await checker.check("z.y;", "")).toMatchObject({
      diagnostics: [{ message: expect.stringContaining("'z'") }],
    });
    expect(starts).toHaveLength(2);
  });

  it("is reported once if it is missing", async () => {
    const { checker } = open(() => undefined);
    await checker.warm();
    const failure = "the optional package typescript is not installed for this machine";
    expect(await checker.check("", "")).toEqual({ failure });
    expect(await checker.check("", "")).toEqual({ failure: "" });
  });

  it("is not tried for ever if it can't be started", async () => {
    const { checker, starts } = open(() => ({ path: "/bin/true", directory: "/usr/share" }));
    const reports: unknown[] = [];
    for (let at = 0; at < 6; at++) reports.push(await checker.check("", ""));
    expect(reports.at(0)).toEqual({ failure: "the compiler ended" });
    expect(reports.at(-1)).toEqual({ failure: "" });
    expect(starts).toHaveLength(3);
  });
});
