import { describe, expect, it } from "vitest";
import { defaultSettings } from "../platform-settings.ts";
import { readManifest } from "./read-manifest.ts";

const good = {
  name: "look_up",
  description: "Looks something up.",
  runtime: "node",
  inputSchema: { type: "object", properties: {} },
};

function read(manifest: unknown, settings = defaultSettings): ReturnType<typeof readManifest> {
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  return readManifest(new Map([["tool.json", Buffer.from(text)]]), settings);
}

const taking = (a: object): object => ({
  ...good,
  inputSchema: { type: "object", properties: { a } },
});
const doubling = Object.fromEntries(
  Array.from({ length: 30 }, (_, level) => {
    const $ref = `#/$defs/d${level - 1}`;
    return [`d${level}`, level === 0 ? {} : { properties: { a: { allOf: [{ $ref }, { $ref }] } } }];
  }),
);

describe("readManifest", () => {
  it("ignores unknown fields", () => {
    expect(read({ ...good, colour: "red" })).toEqual(read(good));
  });

  it("fills in defaults", () => {
    expect(read(good)).toEqual({
      ...good,
      requiredEnvvars: [],
      requiredSecretEnvvars: [],
      allowedHosts: [],
      simulationHosts: [],
      limits: { timeoutMs: 30_000, memoryMb: 128 },
    });
  });

  it("accepts every field", () => {
    const all = {
      ...good,
      runtime: "python",
      requiredEnvvars: ["REGION"],
      requiredSecretEnvvars: ["API_TOKEN"],
      allowedHosts: ["Api.Example.com", "*.example.org", "10.1.2.3:8080", "[2001:db8::1]:443"],
      simulationHosts: ["localhost:9000"],
      limits: { timeoutMs: 1_000, memoryMb: 256 },
    };
    expect(read(all)).toEqual({
      ...all,
      allowedHosts: ["api.example.com", "*.example.org", "10.1.2.3:8080", "[2001:db8::1]:443"],
    });
  });

  it("leaves the schema to the code if there is none", () => {
    const { inputSchema: _, ...rest } = good;
    expect(read(rest).inputSchema).toBeUndefined();
  });

  it("reports a missing tool.json", () => {
    expect(() => readManifest(new Map(), defaultSettings)).toThrow(
      /no tool\.json.*haft tool init/u,
    );
  });

  it.each<[what: string, manifest: unknown, sentence: RegExp]>([
    [
      "no JSON",
      "{",
      /^tool\.json is not valid JSON \(line 1, column 2\)\. Fix the syntax and publish again\.$/,
    ],
    ["a list", [], /must be an object/],
    [
      "a misspelt field",
      { ...good, requiredEnvVar: [] },
      /"requiredEnvVar".*mean requiredEnvvars\?/,
    ],
    ["a field in Python's way", { ...good, input_schema: {} }, /mean inputSchema\?/],
    ["no name", { ...good, name: undefined }, /name is missing/],
    ["a bad name", { ...good, name: "Look-Up" }, /name is "Look-Up".*lower-case/],
    ["a long name", { ...good, name: "a".repeat(65) }, /1 to 64/],
    ["no description", { ...good, description: " " }, /description must be a non-empty string/],
    ["another runtime", { ...good, runtime: "ruby" }, /runtime is "ruby".*"node" or "python"/],
    ["a bad variable", { ...good, requiredEnvvars: ["A1"] }, /requiredEnvvars has "A1"/],
    [
      "a variable twice",
      { ...good, requiredEnvvars: ["A"], requiredSecretEnvvars: ["A"] },
      /A is in both requiredEnvvars and requiredSecretEnvvars/,
    ],
    ["a text for a list", { ...good, allowedHosts: "a.com" }, /allowedHosts must be a list/],
    [
      "too much time",
      { ...good, limits: { timeoutMs: 9e9 } },
      /limits\.timeoutMs is 9000000000.*900000/,
    ],
    ["too much memory", { ...good, limits: { memoryMb: 9e9 } }, /limits\.memoryMb.*2048/],
    ["an unknown limit", { ...good, limits: { cpus: 4 } }, /limits has an unknown field "cpus"/],
    ["no schema of an object", { ...good, inputSchema: { type: "string" } }, /"type": "object"/],
    [
      "a broken schema",
      { ...good, inputSchema: { type: "object", required: 1 } },
      /can't be compiled: #\/required must be a list of different names/,
    ],
    [
      "a schema from elsewhere",
      { ...good, inputSchema: { type: "object", properties: { a: { $ref: "https://x.y/z" } } } },
      /refers to something outside the schema.*\$defs/,
    ],
    [
      "a dangling reference",
      { ...good, inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/x" } } } },
      /can't resolve reference/,
    ],
    [
      "a pattern that refers back",
      taking({ pattern: "^(a*)\\1$" }),
      /#\/properties\/a\/pattern can't use .* refers back/,
    ],
    [
      "a pattern that is too large",
      taking({ pattern: "^(\\w{1,999}){1,999}$" }),
      /\/pattern .*more than 10000 steps/,
    ],
    ["a pattern that is none", taking({ pattern: "(" }), /\/pattern .*not a regular expression/],
    [
      "a pattern of names that refers back",
      taking({ patternProperties: { "(?<x>a)\\k<x>": {} } }),
      /\/patternProperties .*refers back/,
    ],
    [
      "a pattern in a far corner",
      taking({ if: { not: { contains: { propertyNames: { pattern: "(a)\\1" } } } } }),
      /\/if\/not\/contains\/propertyNames\/pattern/,
    ],
    [
      "references that multiply",
      { ...good, inputSchema: { type: "object", $defs: doubling, $ref: "#/$defs/d29" } },
      /more than 20000 schemas.*\$ref/,
    ],
    [
      "references in a circle",
      taking({ anyOf: [{ $ref: "#/properties/a" }] }),
      /refers to itself \(\$ref\)/,
    ],
    [
      "a schema nested without end",
      taking(JSON.parse(`${'{"not":'.repeat(1_000)}{}${"}".repeat(1_000)}`)),
      /nested more than 64 levels/,
    ],
    [
      "an example nested without end",
      taking({ default: JSON.parse("[".repeat(1_000) + "]".repeat(1_000)) }),
      /nested more than 64 levels/,
    ],
    ["thousands of types", taking({ type: Array(20_000).fill("string") }), /\/type must be one of/],
    [
      "a schema without end",
      { ...good, inputSchema: { type: "object", description: "x".repeat(200_000) } },
      /longer than 200000/,
    ],
  ])("refuses %s", (_, manifest, sentence) => {
    expect(() => read(manifest)).toThrow(sentence);
    expect(() => read(manifest)).toThrow(expect.objectContaining({ status: 400 }));
  });

  it.each([
    "https://example.com",
    "example.com/path",
    "user@example.com",
    "*",
    "*.com",
    "a b.com",
    "example.com:0",
    "example.com:99999",
    "127.1",
    "0x7f000001",
    "2130706433",
    "",
    "fe80::1%eth0",
  ])("rejects %j as a host", (host) => {
    expect(() => read({ ...good, allowedHosts: [host] })).toThrow(/allowedHosts has/u);
  });

  it.each([
    "169.254.169.254",
    "169.254.1.1:80",
    "fe80::1",
    "[fe80::1]:80",
    "fd00:ec2::254",
    "metadata.google.internal",
    "::ffff:169.254.169.254",
  ])("refuses the host %s", (host) => {
    expect(() => read({ ...good, simulationHosts: [host] })).toThrow(/no tool may reach it/u);
  });

  it.each([
    "localhost",
    "127.0.0.1:80",
    "10.0.0.1",
    "192.168.1.1",
    "[::1]:80",
    "fd12::1",
    "intranet",
  ])("refuses the host %s if only public hosts are allowed", (host) => {
    expect(read({ ...good, allowedHosts: [host] }).allowedHosts).toEqual([host]);
    const settings = { ...defaultSettings, privateHosts: "never" } as const;
    expect(() => read({ ...good, allowedHosts: [host] }, settings)).toThrow(/public hosts only/u);
  });
});
