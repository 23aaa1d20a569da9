import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { JsonValue } from "@haft/contract";
import { type AskRequest, createRegistry, createSession, headlessHost } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { describe, expect, it, onTestFinished } from "vitest";

type Meanwhile = (root: string, request: AskRequest) => void;

/** A session whose person says yes, after something else has happened in the workspace. */
function open(meanwhile: Meanwhile) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-approval-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "workspace");
  for (const name of ["docs", "src", "empty"]) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, "docs/note.txt"), "note\n");
  writeFileSync(join(root, "src/note.txt"), "code\n");
  const asked: AskRequest[] = [];
  const session = createSession({
    registry: createRegistry(builtinTools),
    computer: createDiskComputer({
      workspace: root,
      stateDirectory: join(base, "state"),
      sandbox: "off",
    }),
    host: {
      ...headlessHost,
      headless: false,
      ask: async (request) => {
        asked.push(request);
        meanwhile(root, request);
        return { answer: "once" };
      },
    },
  });
  const call = (name: string, args: JsonValue) => session.call({ name, arguments: args });
  return { root, asked, call };
}

const replaceByLink = (from: string, to: string): Meanwhile => {
  return (root) => {
    renameSync(join(root, from), join(root, `${from}.old`));
    symlinkSync(to, join(root, from));
  };
};

describe("a yes", () => {
  it.each<[string, string, JsonValue, Meanwhile]>([
    [
      "a file that became a link",
      "write",
      { path: "docs/note.txt", content: "new\n" },
      replaceByLink("docs/note.txt", "../src/note.txt"),
    ],
    [
      "a directory that became a link",
      "write",
      { path: "docs/note.txt", content: "new\n" },
      replaceByLink("docs", "src"),
    ],
    [
      "an edit of a file behind a new link",
      "edit",
      { path: "docs/note.txt", old_string: "o", new_string: "a" },
      replaceByLink("docs", "src"),
    ],
    [
      "a new file in a directory that became a link",
      "write",
      { path: "empty/new.txt", content: "new\n" },
      replaceByLink("empty", "src"),
    ],
    [
      "a file to delete that became a link's",
      "delete_file",
      { path: "docs/note.txt" },
      replaceByLink("docs", "src"),
    ],
    [
      "a command whose directory became a link",
      "bash",
      { command: "echo new > note.txt", cwd: "docs" },
      replaceByLink("docs", "src"),
    ],
  ])("does not hold for %s", async (_, ...[name, args, meanwhile]) => {
    const { root, asked, call } = open(meanwhile);
    expect(await call(name, args)).toMatchObject({ metadata: { error_code: "conflict" } });
    expect(asked).toHaveLength(1);
    expect(readFileSync(join(root, "src/note.txt"), "utf8")).toBe("code\n");
    expect(existsSync(join(root, "src/new.txt"))).toBe(false);
  });

  it("tells where a link leads before it is given", async () => {
    const { root, asked, call } = open(() => {});
    symlinkSync("../src/note.txt", join(root, "docs/link.txt"));
    await call("write", { path: "docs/link.txt", content: "new\n" });
    expect(asked[0]?.reason).toContain(`docs/link.txt leads to ${root}/src/note.txt`);
  });

  it("holds for the arguments that were shown, even if they change meanwhile", async () => {
    const args = { path: "docs/note.txt", content: "shown\n" };
    const { root, call } = open((_, request) => {
      Object.assign(args, { path: "src/note.txt", content: "hidden\n" });
      Object.assign(request.arguments as object, { content: "hidden\n" });
    });
    await call("write", args);
    expect(readFileSync(join(root, "docs/note.txt"), "utf8")).toBe("shown\n");
    expect(readFileSync(join(root, "src/note.txt"), "utf8")).toBe("code\n");
  });
});
