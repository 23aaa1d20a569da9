import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { validate } from "skills-ref";
import { describe, expect, it } from "vitest";
import { makeTree, skillText } from "./test-support/make-tree.ts";
import { validateSkill } from "./validate-skill.ts";

const head = (...lines: string[]): string => `---\n${lines.join("\n")}\n---\nDo it.\n`;
const named = (name: string): [string, string] => [name, skillText(name)];
const withField = (line: string): [string, string] => [
  "pdf",
  head("name: pdf", "description: d", line),
];

// A folder's name and what its SKILL.md says. The program of the format's authors and ours are to agree.
const cases: readonly (readonly [folder: string, content: string])[] = [
  named("pdf"),
  named("pdf-forms-2"),
  named("2-pdf"),
  named("größe"),
  named("навык"),
  named("技能"),
  named("n".repeat(64)),
  named("n".repeat(65)),
  named("PDF"),
  named("Pdf-forms"),
  named("-pdf"),
  named("pdf-"),
  named("pdf--forms"),
  named("pdf_forms"),
  named("pdf forms"),
  named("pdf.forms"),
  named("pdf!"),
  ["other", skillText("pdf")],
  ["pdf", head("description: d")],
  ["pdf", head("name: pdf")],
  ["pdf", head('name: ""', "description: d")],
  ["pdf", head("name: pdf", 'description: ""')],
  ["pdf", head("name: pdf", "description: '   '")],
  ["pdf", skillText("pdf", "d".repeat(1024))],
  ["pdf", skillText("pdf", "d".repeat(1025))],
  ["pdf", head("name: pdf", "description: >", "  Two", "  lines.")],
  ["pdf", head("name: pdf", "description: |", "  Two", "  lines.")],
  ["pdf", head("name: pdf", "description: Use it when: asked")],
  ["pdf", head("name: pdf", 'description: "Use it when: asked"')],
  ["pdf", head("name: pdf", "description: 42")],
  ["123", head("name: 123", "description: d")],
  withField("license: MIT"),
  withField("compatibility: any"),
  withField(`compatibility: ${"c".repeat(500)}`),
  withField(`compatibility: ${"c".repeat(501)}`),
  withField("compatibility: 5"),
  withField("compatibility: [a, b]"),
  withField("allowed-tools: Read Bash(git:*)"),
  withField("allowed-tools: [Read, Bash]"),
  withField("metadata: {author: me, version: '1'}"),
  withField("metadata:\n  deep:\n    er: 1"),
  withField("version: 1"),
  withField("disable-model-invocation: true"),
  withField("name: again"),
  ["pdf", "# No front matter\n"],
  ["pdf", ""],
  ["pdf", "---\nname: pdf\ndescription: d\n"],
  ["pdf", "---\n---\n"],
  ["pdf", head("- a", "- b")],
  ["pdf", head("just text")],
  ["pdf", head("name: [", "description: d")],
  ["pdf", head("name: pdf", "\tdescription: d")],
  ["pdf", `\ufeff${skillText("pdf")}`],
  ["pdf", `\n${skillText("pdf")}`],
  ["pdf", skillText("pdf").replaceAll("\n", "\r\n")],
  ["pdf", skillText("pdf", "d", "")],
  ["pdf", skillText("pdf", "d", "line\n".repeat(600))],
];

describe("validateSkill", () => {
  it.each(cases)("agrees with the authors' own on %s: %j", async (folder, content) => {
    const directory = join(makeTree({ [`${folder}/SKILL.md`]: content }), folder);
    const theirs = await validate(directory);
    const ours = validateSkill(directory).errors;
    const isValid = (errors: readonly string[]): boolean => errors.length === 0;
    expect(isValid(ours), `ours: ${ours}\ntheirs: ${theirs}`).toBe(isValid(theirs));
  });

  it("agrees with their program, also where there is no skill at all", async () => {
    const root = makeTree({
      "good/SKILL.md": skillText("good"),
      "bad/SKILL.md": skillText("worse"),
      "small/skill.md": skillText("small"),
      "empty/x": "",
    });
    const paths = ["good", "good/", "good/SKILL.md", "small", "bad", "empty", "empty/x", "nowhere"];
    const agreed = paths.map(async (path) => {
      const full = `${root}/${path}`;
      expect([path, validateSkill(full).errors.length > 0 ? 1 : 0]).toEqual([
        path,
        await runTheirs(full),
      ]);
    });
    await Promise.all(agreed);
  });

  it.each<[string, string | Uint8Array, string]>([
    ["a description that is nothing", head("name: pdf", "description: null"), "is missing"],
    ["a description that is a list", head("name: pdf", "description: [a]"), "is missing"],
    [
      "front matter that ends in its text",
      "---\nname: pdf\ndescription: a --- b\n",
      "without an end",
    ],
    ["a body past what is loaded", skillText("pdf", "d", "x".repeat(201 * 1024)), "200 KB"],
    [
      "bytes that are not UTF-8",
      Buffer.concat([Buffer.from(skillText("pdf")), Buffer.from([0xff])]),
      "UTF-8",
    ],
  ])("is stricter about %s", async (_, content, error) => {
    const directory = join(makeTree({ "pdf/SKILL.md": content }), "pdf");
    expect(await validate(directory)).toEqual([]);
    expect(validateSkill(directory).errors).toEqual([expect.stringContaining(error)]);
  });

  it("takes letters of every script, as the format does", () => {
    const directory = join(makeTree({ "λόγος/SKILL.md": skillText("λόγος") }), "λόγος");
    expect(validateSkill(directory)).toEqual({
      errors: [],
      warnings: ["Many programs accept only a to z, digits and hyphens in a name."],
    });
  });

  it("warns of what others may not take well", () => {
    const content = `---\nname: 123\ndescription: 5\nlicense: [MIT]\nallowed-tools: [Read]\nmetadata: {a: 1}\n---\n`;
    expect(validateSkill(join(makeTree({ "123/skill.md": content }), "123"))).toEqual({
      errors: [],
      warnings: [
        "YAML does not parse the name as a string: put it in quotes.",
        "YAML does not parse the description as a string: put it in quotes.",
        "The field license should be a string.",
        "The field allowed-tools should be a string.",
        "The metadata should be a map of strings.",
        "The body is empty: add instructions.",
        "The file should be called SKILL.md.",
      ],
    });
  });

  it("names everything that is wrong at once", () => {
    const content = "---\nname: -A--b_\ncolor: red\n---\n";
    expect(validateSkill(join(makeTree({ "x/SKILL.md": content }), "x")).errors).toEqual([
      "Unknown fields: color. Put custom fields under metadata.",
      'The name "-A--b_" must be lowercase.',
      'The name "-A--b_" must begin and end with a letter or digit.',
      'The name "-A--b_" has two hyphens in a row.',
      'The name "-A--b_" may contain only letters, digits and hyphens.',
      `The name "-A--b_" must match the folder's name, "x".`,
      "The description is missing: say what the skill does and when to use it.",
    ]);
  });
});

const run = promisify(execFile);
const program = join(dirname(fileURLToPath(import.meta.resolve("skills-ref"))), "cli.js");

async function runTheirs(path: string): Promise<number> {
  try {
    await run(process.execPath, [program, "validate", path]);
    return 0;
  } catch (error) {
    return (error as { code: number }).code;
  }
}
