import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseManifest } from "./parse-manifest.ts";

const origin = "/p/.haft/agents/scout.md";

function parse(fields: string, body = "Look around."): ReturnType<typeof parseManifest> {
  return parseManifest(`---\n${fields}\n---\n${body}\n`, { name: "scout", origin });
}

function warningsOf(fields: string): string[] {
  const warnings: string[] = [];
  const warn = (message: string): void => {
    warnings.push(message);
  };
  parseManifest(`---\n${fields}\n---\nGo.`, { name: "scout", origin, warn });
  return warnings;
}

describe("parseManifest", () => {
  it("needs a description and a body, and has a default for everything else", () => {
    expect(parse("description: Looks.")).toEqual({
      name: "scout",
      description: "Looks.",
      mode: "subagent",
      prompt: "Look around.",
      isInspectable: true,
      isTool: false,
      isHidden: false,
      origin,
    });
  });

  it("reads every field", () => {
    const manifest = parse(`
name: scout
description: Looks.
mode: all
model: openai/gpt-5/mini
tools: [read, Grep]
mcp: true
toolbox: false
requires:
  fs: { read: ["{workspace}/**"], write: ["src/**"] }
  net: { hosts: ["{allowed-hosts}", "*.example.com"] }
  shell:
    - cmd: git
      args: [log, { prefix: "--max" }, { wildcard: true }]
    - cmd: ls
  capabilities: [clipboard]
rules:
  - bash rm deny
  - fs.write src/** ask
limits: { maxSteps: 5, maxTokens: 1000, maxCost: 0.5, retries: 0 }
inspectable: false
tool: true
hidden: true`);
    expect(manifest).toEqual({
      name: "scout",
      description: "Looks.",
      mode: "all",
      prompt: "Look around.",
      model: "openai/gpt-5/mini",
      tools: ["read", "Grep"],
      allowMcp: true,
      allowToolbox: false,
      requires: {
        fs: { read: ["{workspace}/**"], write: ["src/**"] },
        net: { hosts: ["{allowed-hosts}", "*.example.com"] },
        shell: [
          { cmd: "git", args: ["log", { prefix: "--max" }, { wildcard: true }] },
          { cmd: "ls" },
        ],
        capabilities: ["clipboard"],
      },
      rules: [
        { permission: "bash", pattern: "rm", action: "deny" },
        { permission: "fs.write", pattern: "src/**", action: "ask" },
      ],
      limits: { maxSteps: 5, maxTokens: 1000, maxCost: 0.5, retries: 0 },
      isInspectable: false,
      isTool: true,
      isHidden: true,
      origin,
    });
  });

  it.each([
    ["maxSteps", "allowMcp"],
    ["max-steps", "allow-mcp"],
    ["max_steps", "allow_mcp"],
    ["steps", "mcp"],
  ])("takes the spelling %s and %s", (steps, mcp) => {
    const manifest = parse(`description: x\n${mcp}: true\nlimits:\n  ${steps}: 7`);
    expect(manifest.limits).toEqual({ maxSteps: 7 });
    expect(manifest.allowMcp).toBe(true);
  });

  it.each([
    ["tools: '*'", undefined],
    ["tools: ['*']", undefined],
    ["tools: [read, '*']", undefined],
    ["tools: []", []],
    ["tools: read, grep ,read,", ["read", "grep"]],
  ])("reads %s", (line, tools) => {
    expect(parse(`description: x\n${line}`).tools).toEqual(tools);
  });

  it('uses the parent\'s model for "inherit", and accepts a class of models', () => {
    expect(parse("description: x\nmodel: inherit").model).toBeUndefined();
    expect(parse("description: x\nmodel: fast").model).toBe("fast");
  });

  it("takes a byte order mark, Windows lines and braces in the body", () => {
    const text =
      "\uFEFF---\r\ndescription: Looks.\r\n---\r\n\r\nUse {anything}.\r\n---\r\nEnd.\r\n";
    const manifest = parseManifest(text, { name: "scout", origin });
    expect(manifest.prompt).toBe("Use {anything}.\n---\nEnd.");
  });

  it.each([
    ["name: other\ndescription: x", /name is "other", but the file is called scout\.md/u],
    ["mode: primary", /description is missing/u],
    ["description: ''", /description must be a non-empty string, not ""/u],
    ["description: [a]", /description must be a non-empty string, not a list/u],
    ["description: x\nmode: main", /mode must be primary, subagent or all, not "main"/u],
    [
      "description: x\nmodel: gpt",
      /model must be PROVIDER\/MODEL or one of fast, strong, reasoning, not "gpt"/u,
    ],
    ["description: x\ntools:", /tools is empty. Write \[\] for no tools/u],
    ["description: x\ntools: [1]", /tools\[0\] must be a non-empty string, not 1/u],
    ["description: x\nmcp: 'yes'", /mcp must be true or false, not "yes"/u],
    ["description: x\nmcp: true\nallow-mcp: true", /allow-mcp is the same field as mcp/u],
    ["description: x\nlimits: 5", /limits must be a map of fields/u],
    [
      "description: x\nlimits: {steps: 0}",
      /limits\.maxSteps must be a whole number of at least 1/u,
    ],
    ["description: x\nlimits: {steps: 1.5}", /limits\.maxSteps/u],
    ["description: x\nlimits: {maxCost: .inf}", /limits\.maxCost must be a number of at least 0/u],
    ["description: x\nlimits: {stpes: 1}", /limits\.stpes is unknown/u],
    ["description: x\nrules: [bash deny]", /rules\[0\] can't be used.*PERMISSION PATTERN ACTION/u],
    ["description: x\nrules: bash rm deny", /rules must be a list/u],
    ["description: x\nrequires: {fs: {reed: []}}", /requires\.fs\.reed is unknown/u],
    ["description: x\nrequires: {shell: [git]}", /requires\.shell\[0\] must be a map of fields/u],
    ["description: x\nrequires: {net: {hosts: ['a*b']}}", /requires can't be used.*a\*b/u],
    [
      "description: x\nrequires: {fs: {read: ['{workspce}/**']}}",
      /requires can't be used.*undefined variable \{workspce\}/u,
    ],
    ["description: x\n  y: z", /front matter is not valid YAML \(line 2\)/u],
    ["limits:\n\tmaxSteps: 1", /Indent with spaces/u],
    ["description: x\n...\ndescription: y", /front matter is not valid YAML/u],
    ["description: a\ndescription: b", /front matter is not valid YAML/u],
    ["- a\n- b", /must consist of NAME: VALUE lines/u],
    ["description: &a [*a]", /scout\.md/u],
  ])("refuses %j and says why", (fields, complaint) => {
    expect(() => parse(fields)).toThrow(TypeError);
    expect(() => parse(fields)).toThrow(complaint);
    expect(() => parse(fields)).toThrow(origin);
  });

  it.each([
    ["", /no front matter/u],
    ["# Scout\n\nLook.", /no front matter/u],
    ["---\ndescription: x\n", /front matter without an end/u],
    ["---\ndescription: x\n---\n \n", /no prompt/u],
    ["---\n---\nLook.", /description is missing/u],
  ])("refuses the file %j and says why", (text, complaint) => {
    expect(() => parseManifest(text, { name: "scout", origin })).toThrow(complaint);
  });

  it.each(["Scout", "", "a".repeat(41), "a b", "../x", "1a"])("refuses the name %j", (name) => {
    const text = "---\ndescription: x\n---\nGo.";
    expect(() => parseManifest(text, { name, origin })).toThrow(/Rename the file/u);
  });

  it("does not follow aliases that grow without end", () => {
    const lines = Array.from({ length: 30 }, (_, at) =>
      at === 0 ? "a0: &a0 [x, x]" : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
    );
    expect(() => parse(`description: x\n${lines.join("\n")}`)).toThrow(TypeError);
  });

  it("quotes nothing of a file that is not YAML", () => {
    expect(() => parse("secret: [hunter2")).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
    );
  });

  it("warns of fields that are not known, and of tools that can't be chosen", () => {
    expect(warningsOf("description: x\ntolos: [read]\ncolour: red")).toEqual([
      `${origin}: the field "tolos" is unknown and has no effect. Did you mean tools?`,
      `${origin}: the field "colour" is unknown and has no effect.`,
    ]);
    expect(warningsOf("description: x\ntools: [mcp__a__b]")).toEqual([
      expect.stringContaining(`tools can't list "mcp__a__b"`),
    ]);
  });

  it("throws only TypeErrors, for any input", () => {
    const lines = fc.array(
      fc.oneof(
        fc.string(),
        fc.constantFrom(
          "---",
          "description: x",
          "tools:",
          "limits:",
          "  maxSteps: 3",
          "rules: [a]",
        ),
        fc
          .tuple(fc.constantFrom("mode", "tools", "requires", "limits", "mcp", "name"), fc.json())
          .map(([name, value]) => `${name}: ${value}`),
      ),
    );
    fc.assert(
      fc.property(lines, fc.string(), (front, body) => {
        const texts = [`---\n${front.join("\n")}\n---\n${body}`, front.join("\n")];
        for (const text of texts) {
          try {
            expect(parseManifest(text, { name: "scout", origin }).name).toBe("scout");
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
            expect((error as Error).message.startsWith(`${origin}: `)).toBe(true);
          }
        }
      }),
    );
  });
});
