import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { openProjectTrust } from "@haft/computer/internal";
import { describe, expect, it } from "vitest";
import { discoverSkills } from "./discover-skills.ts";
import type { Skills } from "./skills.ts";
import { makeTree, skillText } from "./test-support/make-tree.ts";

const isRoot = process.getuid?.() === 0;

function discover(root: string, workspace = "repo"): Skills {
  const environment = {};
  return discoverSkills({
    workspace: join(root, workspace),
    home: join(root, "home"),
    environment,
    trust: openProjectTrust({ root, stateDirectory: join(root, "state"), trustsAll: true }),
  });
}

/** One skill in a repository, and what becomes of it. */
function discoverOne(content: string | Uint8Array): Skills {
  return discover(makeTree({ "repo/.git/HEAD": "", "repo/.agents/skills/one/SKILL.md": content }));
}

const names = (skills: Skills): string[] => skills.list().map(({ name }) => name);

describe("discoverSkills", () => {
  it("looks upward to the repository's root, then among the user's, nearest first", () => {
    const root = makeTree({
      ".agents/skills/outside/SKILL.md": skillText("outside"),
      "repo/.git/HEAD": "",
      "repo/.agents/skills/far/SKILL.md": skillText("far"),
      "repo/.claude/skills/far-too/SKILL.md": skillText("far-too"),
      "repo/sub/.claude/skills/near/SKILL.md": skillText("near"),
      "repo/sub/deep/.agents/skills/nearest/SKILL.md": skillText("nearest"),
      "home/.agents/skills/own/SKILL.md": skillText("own"),
      "home/.claude/skills/own-too/SKILL.md": skillText("own-too"),
      "home/.config/haft/skills/set/SKILL.md": skillText("set"),
    });
    const skills = discover(root, "repo/sub/deep");
    expect(names(skills)).toEqual(["nearest", "near", "far", "far-too", "own", "own-too", "set"]);
    expect(skills.get("near")).toEqual({
      name: "near",
      description: "About near.",
      directory: join(root, "repo/sub/.claude/skills/near"),
      file: join(root, "repo/sub/.claude/skills/near/SKILL.md"),
      origin: "project",
    });
    expect(skills.get("own")).toMatchObject({ origin: "user" });
    expect(skills.get("outside")).toBeUndefined();
    expect(skills.warnings).toEqual([]);
  });

  it("goes up to the home directory where there is no repository, and does not take it twice", () => {
    const root = makeTree({
      ".agents/skills/outside/SKILL.md": skillText("outside"),
      "home/.agents/skills/own/SKILL.md": skillText("own"),
      "home/work/.agents/skills/work/SKILL.md": skillText("work"),
      "home/work/here/a": "",
    });
    const skills = discover(root, "home/work/here");
    expect(names(skills)).toEqual(["work", "own"]);
    expect(skills.get("own")?.origin).toBe("user");
    const home = discover(root, "home");
    expect([names(home), home.warnings]).toEqual([["own"], []]);
  });

  it("respects an absolute XDG_CONFIG_HOME and no other", () => {
    const root = makeTree({
      "settings/haft/skills/a/SKILL.md": skillText("a"),
      "home/.config/haft/skills/b/SKILL.md": skillText("b"),
      "repo/.git/HEAD": "",
    });
    const place = { workspace: join(root, "repo"), home: join(root, "home") };
    const find = (XDG_CONFIG_HOME: string): string[] =>
      names(discoverSkills({ ...place, environment: { XDG_CONFIG_HOME } }));
    expect(find(join(root, "settings"))).toEqual(["a"]);
    expect(find("settings")).toEqual(["b"]);
  });

  it("looks for nothing before it is asked, and then once", () => {
    const root = makeTree({ "repo/.git/HEAD": "" });
    const skills = discover(root);
    mkdirSync(join(root, "repo/.agents/skills"), { recursive: true });
    const add = (name: string): void =>
      symlinkSync(
        makeTree({ "SKILL.md": skillText(name) }),
        join(root, "repo/.agents/skills", name),
      );
    add("late");
    expect(names(skills)).toEqual(["late"]);
    add("later");
    expect(names(skills)).toEqual(["late"]);
  });

  it("takes the first of a name and names both files", () => {
    const root = makeTree({
      "repo/.git/HEAD": "",
      "repo/.agents/skills/twin/SKILL.md": skillText("twin", "First."),
      "repo/.claude/skills/twin/SKILL.md": skillText("twin", "Second."),
    });
    const skills = discover(root);
    expect(skills.get("twin")?.description).toBe("First.");
    expect(skills.warnings).toEqual([
      `Two skills are named twin: ${root}/repo/.agents/skills/twin/SKILL.md is used, ${root}/repo/.claude/skills/twin/SKILL.md is ignored. Rename one.`,
    ]);
  });

  it("lists a folder once, however many links lead to it", () => {
    const root = makeTree({
      "repo/.git/HEAD": "",
      "repo/.agents/skills/one/SKILL.md": skillText("one"),
      "repo/.agents/skills/bad/SKILL.md": "nothing",
      "home/.agents/x": "",
    });
    mkdirSync(join(root, "repo/.claude"));
    symlinkSync("../.agents/skills", join(root, "repo/.claude/skills"));
    mkdirSync(join(root, "home/.agents/skills"));
    symlinkSync(join(root, "repo/.agents/skills/one"), join(root, "home/.agents/skills/one"));
    const skills = discover(root);
    expect(names(skills)).toEqual(["one"]);
    expect(skills.warnings).toHaveLength(1);
  });

  it.each<[string, string]>([
    ["no description", "---\nname: one\n---\nDo it."],
    ["an empty description", "---\nname: one\ndescription: '  '\n---\nDo it."],
    ["a description that is a list", "---\nname: one\ndescription: [a]\n---\nDo it."],
    ["no front matter's fields", "---\n---\nDo it."],
  ])("leaves out a skill with %s, and names it and its file", (_, content) => {
    const { list, warnings } = discoverOne(content);
    expect(list()).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^The skill one in \S+\/one\/SKILL\.md is ignored: it has no description\. Add a line/u,
      ),
    ]);
  });

  it("names a skill that is left out by the name that it gives itself", () => {
    expect(discoverOne("---\nname: other\n---\n").warnings[0]).toMatch(/^The skill other in /u);
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ["no front matter", "# One\n", /has no front matter/u],
    ["an empty file", "", /has no front matter/u],
    ["front matter without an end", "---\nname: one\n", /without an end/u],
    ["a list for front matter", "---\n- a\n---\n", /does not consist of `field: value` lines/u],
    ["a text for front matter", "---\nhello\n---\n", /does not consist of `field: value` lines/u],
    ["broken YAML", '---\nname: "one\ndescription: [a\n---\n', /is not valid YAML/u],
    ["a twice given field", "---\nname: a\nname: b\ndescription: c\n---\n", /is not valid YAML/u],
    [
      "bytes that are not UTF-8",
      Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]),
      /is not UTF-8/u,
    ],
    ["UTF-16", Buffer.from(`\ufeff${skillText("one")}`, "utf16le"), /is not UTF-8/u],
    ["a huge body", skillText("one", "d", "x".repeat(201 * 1024)), /body is larger than 200 KB/u],
    [
      "a huge file",
      skillText("one", "d", "x".repeat(400 * 1024)),
      /the maximum is \d+\. Shorten it/u,
    ],
    ["huge front matter", skillText("one", "x".repeat(70 * 1024)), /64 KB of front matter/u],
    ["a bomb of aliases", bomb(), /is not valid YAML/u],
    ["deep nesting", `---\nmetadata: ${"[".repeat(20_000)}\n---\n`, /is not valid YAML/u],
  ])("leaves out %s with a warning", (_, content, warning) => {
    const skills = discoverOne(content);
    expect(skills.list()).toEqual([]);
    expect(skills.warnings).toHaveLength(1);
    expect(skills.warnings[0]).toMatch(/^The skill one in \S+SKILL\.md is ignored: /u);
    expect(skills.warnings[0]).toMatch(warning);
  });

  const usable = (
    [
      ["a byte order mark", `\ufeff${skillText("one")}`, { name: "one" }, undefined],
      ["CRLF", skillText("one").replaceAll("\n", "\r\n"), { description: "About one." }, undefined],
      ["blank lines first", `\n\n${skillText("one")}`, { name: "one" }, undefined],
      ["another name", skillText("two"), { name: "two" }, /must match the folder's name, "one"/u],
      ["capital letters", skillText("One"), { name: "One" }, /must be lowercase/u],
      ["a long name", skillText("n".repeat(65)), { name: "n".repeat(65) }, /65 characters/u],
      [
        "a name too long to use",
        skillText("n".repeat(201)),
        { name: "one" },
        /the folder's name is used/u,
      ],
      ["no name", "---\ndescription: d\n---\n", { name: "one" }, /the folder's name is used/u],
      [
        "a mapping for a name",
        "---\nname: {a: 1}\ndescription: d\n---\n",
        { name: "one" },
        /folder/u,
      ],
      [
        "a name in two lines",
        '---\nname: "a\\nb"\ndescription: d\n---\n',
        { name: "one" },
        /folder/u,
      ],
      [
        "a long description",
        skillText("one", "d".repeat(1025)),
        {},
        /longer than 1024 characters/u,
      ],
      [
        "unknown fields",
        "---\nname: one\ndescription: d\nversion: 1\nmodel: x\n---\n",
        { name: "one" },
        /Unknown fields: version, model\./u,
      ],
      [
        "a colon in the description",
        "---\nname: one\ndescription: Use it when: asked: twice\nlicense: MIT\n---\n",
        { description: "Use it when: asked: twice", license: "MIT" },
        /put values that contain a colon in quotes/u,
      ],
      [
        "a colon in a description of several lines",
        "---\nname: one\ndescription: Use it when: asked\n  and: then\n  not.\nmetadata:\n  a: b\n---\n",
        { description: "Use it when: asked and: then not.", metadata: { a: "b" } },
        /in quotes/u,
      ],
      [
        "a description that begins with a sign",
        "---\nname: one\ndescription: @someone's `skill`\n---\n",
        { description: "@someone's `skill`" },
        /in quotes/u,
      ],
      [
        "a description of several lines",
        "---\nname: one\ndescription: >\n  Does\n  this.\n---\n",
        { description: "Does this." },
        undefined,
      ],
      [
        "every field",
        "---\nname: one\ndescription: d\nlicense: MIT\ncompatibility: any\nallowed-tools: Read Bash(git:*)\nmetadata:\n  version: 1.0\n---\n",
        {
          license: "MIT",
          compatibility: "any",
          allowedTools: "Read Bash(git:*)",
          metadata: { version: "1" },
        },
        undefined,
      ],
      [
        "tools as a list",
        "---\nname: one\ndescription: 5\nallowed-tools: [Read, Bash]\n---\n",
        { description: "5", allowedTools: "Read Bash" },
        undefined,
      ],
      ["a line of --- in the body", skillText("one", "d", "a\n---\nb"), { name: "one" }, undefined],
    ] as const satisfies readonly [string, string, object, RegExp | undefined][]
  ).map(([title, content, skill, warning]) => ({ title, content, skill, warning }));
  it.each(usable)("uses a skill with $title", ({ content, skill, warning }) => {
    const skills = discoverOne(content);
    expect(skills.list()).toEqual([expect.objectContaining(skill)]);
    if (warning === undefined) expect(skills.warnings).toEqual([]);
    else expect(skills.warnings).toEqual([expect.stringMatching(warning)]);
  });

  it("never lets a name or description reach over its line", () => {
    const text = '---\nname: one\ndescription: "a\\n\\n# System\\e[31m\\tb"\n---\n';
    expect(discoverOne(text).get("one")?.description).toBe("a # System b");
  });

  it("handles folder names that are not valid skill names", () => {
    const root = makeTree({
      "repo/.git/HEAD": "",
      "repo/.agents/skills/a b\n/SKILL.md": "---\ndescription: d\n---\n",
      "repo/.agents/skills/__proto__/SKILL.md": "---\ndescription: d\n__proto__: 1\n---\n",
    });
    const skills = discover(root);
    expect(names(skills)).toEqual(["__proto__", "a b"]);
    expect(skills.get("toString")).toBeUndefined();
  });

  it("does not block on what is not a regular file", () => {
    const root = makeTree({
      "repo/.git/HEAD": "",
      "repo/.agents/skills/directory/SKILL.md/x": "",
      "repo/.agents/skills/pipe/x": "",
      "repo/.agents/skills/device/x": "",
      "repo/.agents/skills/circle/x": "",
      "repo/.agents/skills/README.md": "",
      "repo/.agents/skills/assets/x": "",
      "repo/.agents/skills/small/skill.md": skillText("small"),
      "home/.agents/skills": "a file",
    });
    const at = (path: string): string => join(root, "repo/.agents/skills", path);
    execFileSync("mkfifo", [at("pipe/SKILL.md")]);
    symlinkSync("/dev/zero", at("device/SKILL.md"));
    symlinkSync("SKILL.md", at("circle/SKILL.md"));
    symlinkSync("loop", at("loop"));
    symlinkSync("nowhere", at("gone"));
    const skills = discover(root);
    expect(names(skills)).toEqual(["small"]);
    expect(skills.warnings).toEqual([
      `The skill gone is ignored: ${at("gone")} is a broken link.`,
      `The skill loop is ignored: ${at("loop")} is a broken link.`,
      `The skill circle in ${at("circle/SKILL.md")} is ignored: the file is a circular link.`,
      `The skill device in ${at("device/SKILL.md")} is ignored: the file is not a regular file.`,
      `The skill directory in ${at("directory/SKILL.md")} is ignored: the file is not a regular file.`,
      `The skill pipe in ${at("pipe/SKILL.md")} is ignored: the file is not a regular file.`,
    ]);
  });

  it.runIf(!isRoot)("warns about files that can't be read", () => {
    const root = makeTree({
      "repo/.git/HEAD": "",
      "repo/.agents/skills/one/SKILL.md": skillText("one"),
    });
    chmodSync(join(root, "repo/.agents/skills/one/SKILL.md"), 0);
    expect(discover(root).warnings[0]).toContain("can't be read by this user: permission denied");
  });

  it.runIf(isRoot)("ignores skills that another user could have planted", () => {
    const root = makeTree({
      "repo/.git/HEAD": "",
      "repo/.agents/skills/one/SKILL.md": skillText("one"),
      "repo/.claude/skills/two/SKILL.md": skillText("two"),
    });
    chownSync(join(root, "repo/.agents/skills"), 12_345, 12_345);
    chownSync(join(root, "repo/.claude/skills/two/SKILL.md"), 12_345, 12_345);
    const skills = discover(root);
    expect(skills.list()).toEqual([]);
    expect(skills.warnings).toEqual([
      `The skills in ${root}/repo/.agents/skills are ignored: the directory belongs to another user.`,
      `The skill two in ${root}/repo/.claude/skills/two/SKILL.md is ignored: the file belongs to another user.`,
    ]);
  });
});

function bomb(): string {
  const lines = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (const [at, name] of [..."bcdefgh"].entries()) {
    const above = "abcdefg"[at];
    lines.push(`${name}: &${name} [${Array(9).fill(`*${above}`).join(",")}]`);
  }
  return `---\nname: one\ndescription: d\n${lines.join("\n")}\n---\n`;
}
