import { createMemoryComputer } from "@haft/computer/memory";
import {
  amp,
  claude,
  createRegistry,
  createSession,
  type Dialect,
  gemini,
  type Session,
} from "@haft/core";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";

function openSession(dialect?: Dialect): Session {
  return createSession({
    registry: createRegistry(builtinTools),
    computer: createMemoryComputer({
      files: {
        "src/a.ts": "one\nTWO\n",
        "src/b.tsx": "two\n",
        "src/c.js": "one|two\n",
        ".github/ci.yml": "on: push\n",
      },
    }),
    rules: [{ permission: "*", pattern: "*", action: "allow" }],
    ...(dialect && { dialect }),
  });
}

const session = openSession();

async function search(name: string, args: Record<string, string>): Promise<unknown> {
  const result = await session.call({ name, arguments: args });
  return result.type === "output" ? result.data : result.error_text;
}

describe("a search in the words of another program", () => {
  it.each<[Record<string, string>, number, string | undefined]>([
    [{ pattern: "one\\|TWO", glob: "*.ts" }, 2, "one\\|TWO was read as one|TWO"],
    [{ pattern: "one\\|two" }, 1, undefined],
    [{ pattern: "/two/i" }, 3, "/two/i was read as two, ignoring case"],
    [{ pattern: "/TWO/" }, 1, "/TWO/ was read as TWO"],
    [{ pattern: "o", glob: "*.ts,*.tsx" }, 2, "*.ts,*.tsx was read as {*.ts,*.tsx}"],
    [{ pattern: "o", glob: "*.(ts|tsx)" }, 2, "*.(ts|tsx) was read as *.{ts,tsx}"],
  ])("of grep, %j, finds %i lines", async (args, count, note) => {
    const data = (await search("grep", args)) as { matches: unknown[]; note?: string };
    expect(data.matches).toHaveLength(count);
    if (note === undefined) expect(data.note).toBeUndefined();
    else expect(data.note).toContain(note);
  });

  it.each([
    ["src/*.ts,src/*.tsx", 2, "it was read as {src/*.ts,src/*.tsx}."],
    ["src/*.(ts|tsx)", 2, "it was read as src/*.{ts,tsx}."],
    ["*.ts", 0, "No file matches directly in .; **/*.ts matches 1 file."],
    [
      "**/*.yml",
      0,
      "Hidden files are left out unless the pattern names them; {.*/**/*.yml,.*.yml} matches 1 file.",
    ],
  ])("of glob, %s, finds %i files", async (pattern, count, note) => {
    const data = (await search("glob", { pattern })) as { files: unknown[]; message: string };
    expect(data.files).toHaveLength(count);
    expect(data.message).toContain(note);
  });
});

// What the result says itself is in its text; every form of a result shows its notes.
describe("the notes of a result", () => {
  it.each<[string, Dialect, string, Record<string, string>, string]>([
    ["amp", amp, "glob", { filePattern: "*.ts" }, "**/*.ts matches 1 file"],
    ["claude", claude, "Glob", { pattern: "*.ts" }, "**/*.ts matches 1 file"],
    ["gemini", gemini, "glob", { pattern: "*.ts" }, "**/*.ts matches 1 file"],
    ["amp", amp, "Grep", { pattern: "/TWO/" }, "/TWO/ was read as TWO"],
    ["claude", claude, "Grep", { pattern: "/TWO/" }, "/TWO/ was read as TWO"],
    [
      "claude",
      claude,
      "Grep",
      { pattern: "/TWO/", output_mode: "content" },
      "/TWO/ was read as TWO",
    ],
    ["gemini", gemini, "grep_search", { pattern: "/TWO/" }, "/TWO/ was read as TWO"],
    [
      "amp",
      amp,
      "edit_file",
      { path: "src/a.ts", old_str: "one \nTWO", new_str: "one \n2" },
      "Matched ignoring trailing space",
    ],
  ])("of %s say what its text leaves out, %#", async (...[, dialect, name, args, note]) => {
    const { type, metadata } = await openSession(dialect).call({ name, arguments: args });
    expect(type).toBe("output");
    expect(metadata.notes).toEqual([expect.stringContaining(note)]);
  });

  it("are absent if a search was read as it stands", async () => {
    const result = await openSession(claude).call({ name: "Grep", arguments: { pattern: "one" } });
    expect(result.metadata.notes).toBeUndefined();
  });
});
