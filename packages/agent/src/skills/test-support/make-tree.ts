import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Makes a directory with these files, which goes when the test ends. */
export function makeTree(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-agent-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return root;
}

/** What a `SKILL.md` says. */
export function skillText(name: string, description = `About ${name}.`, body = "Do it."): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
}
