import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { skills } from "../../declarations/skills.ts";
import { trust } from "../../declarations/trust.ts";
import { runCommand } from "../../test-support/run-command.ts";
import type { Ran } from "../../test-support/run-haft.ts";

interface Opened {
  readonly root: string;
  run(...args: string[]): Promise<Ran>;
  trust(): Promise<Ran>;
}

function open(files: Readonly<Record<string, string>> = {}): Opened {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-skills-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries({ "repo/.git/HEAD": "", ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const place = { directory: join(root, "repo"), environment: { HOME: join(root, "home") } };
  return {
    root,
    run: (...args) => runCommand(skills, args, place),
    trust: () => runCommand(trust, ["--yes"], place),
  };
}

const text = (name: string, description = `About ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nDo ${name}.\n`;
const place = "repo/.agents/skills";

describe("haft skills list", () => {
  it("shows each skill, and on standard error what is left out", async () => {
    const { root, run } = open({
      [`${place}/pdf/SKILL.md`]: text("pdf"),
      [`${place}/bad/SKILL.md`]: "---\nname: bad\n---\n",
      "home/.claude/skills/tables/SKILL.md": text("tables", "Reads\u001b[31m tables."),
    });
    const ran = await run();
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toBe(
      [
        "pdf     About pdf.",
        `        ${root}/${place}/pdf`,
        "tables  Reads tables.",
        `        ${root}/home/.claude/skills/tables`,
        "",
      ].join("\n"),
    );
    expect(ran.stderr).toMatch(/^haft: The skill bad in \S+bad\/SKILL\.md is ignored: it has no /u);
    expect((await run("list", "--json")).json()).toEqual([
      {
        name: "pdf",
        description: "About pdf.",
        directory: `${root}/${place}/pdf`,
        file: `${root}/${place}/pdf/SKILL.md`,
        origin: "project",
      },
      expect.objectContaining({ name: "tables", origin: "user" }),
    ]);
  });

  it("says where to look where there are none, of another workspace too", async () => {
    const { run, root } = open({
      "other/.git/HEAD": "",
      "other/.agents/skills/x/SKILL.md": text("x"),
    });
    expect((await run("list")).stdout).toContain("`haft skills --help` lists");
    expect((await run("list", "--json")).json()).toEqual([]);
    expect((await run("list", "-C", "../other")).stdout).toContain("About x.");
    const gone = await run("list", "-C", "nowhere");
    expect([gone.exitCode, gone.stderr]).toEqual([
      2,
      `haft: --workspace: ${root}/repo/nowhere is not a directory.\n`,
    ]);
  });

  it("says what it can do", async () => {
    expect((await run0("lst")).stderr).toContain(
      'no subcommand "lst". Subcommands: list, validate, show.',
    );
    expect((await run0("list", "x")).stderr).toContain('takes no arguments, but got "x"');
  });

  const run0 = (...args: string[]): Promise<Ran> => open().run(...args);
});

describe("haft skills validate", () => {
  it("checks all that are found, also those that are left out", async () => {
    const { root, run } = open({
      [`${place}/bad/SKILL.md`]: "---\nname: bad\n---\nx",
      [`${place}/pdf/SKILL.md`]: text("pdf"),
    });
    const ran = await run("validate");
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toBe(
      [
        `invalid  ${root}/${place}/bad`,
        "         error: The description is missing: say what the skill does and when to use it.",
        `ok       ${root}/${place}/pdf`,
        "",
      ].join("\n"),
    );
    expect((await run("validate", "--json")).json()).toEqual([
      expect.objectContaining({ valid: false, errors: [expect.any(String)] }),
      { directory: `${root}/${place}/pdf`, valid: true, errors: [], warnings: [] },
    ]);
  });

  it("checks the folders that are named, or those in one", async () => {
    const { run } = open({
      "repo/made/pdf/SKILL.md": text("pdf"),
      "repo/made/tables/SKILL.md": text("tables"),
      "repo/made/notes.md": "",
      "repo/odd/SKILL.md": text("even"),
    });
    expect(await run("validate", "made/pdf")).toMatchObject({ exitCode: 0 });
    expect(await run("validate", "made/pdf/SKILL.md")).toMatchObject({ exitCode: 0 });
    expect((await run("validate", "made", "--json")).json()).toHaveLength(2);
    expect(await run("validate", "made/pdf", "odd")).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining(`must match the folder's name, "odd"`),
    });
    expect(await run("validate", "nowhere")).toMatchObject({ exitCode: 1 });
    expect(await run("validate")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("No skills"),
    });
  });
});

describe("haft skills show", () => {
  it("prints what an agent reads", async () => {
    const { root, run, trust } = open({
      [`${place}/pdf/SKILL.md`]: text("pdf"),
      [`${place}/pdf/a.py`]: "",
    });
    expect((await run("list")).stderr).toMatch(
      /pdf: this skill contains commands .*haft trust\n$/u,
    );
    expect((await run("show", "pdf")).stderr).toMatch(/is not trusted yet.*haft trust/u);
    await trust();
    const ran = await run("show", "pdf");
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain(`<skill_content name="pdf">\nThe skill's folder is ${root}/`);
    expect(ran.stdout).toMatch(/Do pdf\.\n\n.+:\n- a\.py\n<\/skill_content>\n$/u);
    expect((await run("show", "pdf", "--json")).json()).toMatchObject({
      name: "pdf",
      files: ["a.py"],
      content: expect.stringContaining("Do pdf."),
    });
  });

  it("says what may be meant", async () => {
    const { run } = open({ [`${place}/pdf/SKILL.md`]: text("pdf") });
    expect(await run("show", "pfd")).toMatchObject({
      exitCode: 2,
      stderr: 'haft: There is no skill "pfd". Did you mean pdf?\n',
    });
    expect((await run("show")).stderr).toContain("needs the argument NAME");
    expect((await run("show", "pdf", "x")).stderr).toContain("unexpected argument");
  });
});
