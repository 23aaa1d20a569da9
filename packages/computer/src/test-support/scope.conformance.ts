import type { PathState } from "@haft/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openScope, readText } from "./open-scope.ts";
import { type CreateComputer, openWorkspace } from "./open-workspace.ts";

const everyState: readonly PathState[] = [
  { kind: "file", content: new Uint8Array() },
  { kind: "directory" },
  { kind: "link", target: "a.txt" },
  { kind: "absent" },
];

/** What the files of every computer refuse. */
export function describeScope(surface: string, create: CreateComputer): void {
  const open = (files: Readonly<Record<string, string>> = {}) => openWorkspace(create(files));

  describe(`staying in scope (${surface})`, () => {
    it("resolves relative paths against the first root", () => {
      const { files, root } = open();
      expect(files.resolve("a/./b/../c")).toBe(`${root}/a/c`);
      expect(files.resolve("")).toBe(root);
      expect(files.resolve(`${root}//x/`)).toBe(`${root}/x`);
      expect(files.resolve("/../..")).toBe("/");
    });

    it("refuses a NUL character", async () => {
      const { files } = open({ "a.txt": "" });
      await expect(files.read("a.txt\0.png")).rejects.toMatchObject({ code: "invalid-arguments" });
      expect(() => files.resolve("\0")).toThrow("NUL");
    });

    it.each(["..", "../x", "/etc/passwd", "/", "a/../../x", "/proc/self/environ", "/dev/zero"])(
      "refuses %s in every operation",
      async (path) => {
        const { files, journal, changed } = open({ "a.txt": "a" });
        const refusal = { code: "out-of-scope" };
        await expect(files.stat(path)).rejects.toMatchObject(refusal);
        await expect(files.read(path)).rejects.toMatchObject(refusal);
        await expect(files.list(path)).rejects.toMatchObject(refusal);
        await expect(files.write(path, "", { parents: true })).rejects.toMatchObject(refusal);
        await expect(files.remove(path)).rejects.toMatchObject(refusal);
        await expect(files.move(path, "b.txt")).rejects.toMatchObject(refusal);
        await expect(files.move("a.txt", path)).rejects.toMatchObject(refusal);
        await expect(files.load(path)).rejects.toMatchObject(refusal);
        for (const to of everyState) {
          const changing = files.change([{ path, to, parents: true }]);
          await expect(changing).rejects.toMatchObject(refusal);
        }
        expect([journal, changed]).toEqual([[], []]);
      },
    );

    it("refuses the kernel's files even when everything is granted", async () => {
      const { computer } = open();
      const { files } = openScope(computer, { fs: { read: ["/**"], write: ["/**"] } });
      for (const path of ["/proc/self/environ", "/dev/zero", "/dev/fd/0", "/sys/kernel"]) {
        await expect(files.read(path)).rejects.toMatchObject({ code: "out-of-scope" });
        await expect(files.write(path, "")).rejects.toMatchObject({ code: "out-of-scope" });
      }
    });

    it("does not take a longer name for the root", async () => {
      const { files, root } = open();
      await expect(files.read(`${root}-evil/a.txt`)).rejects.toMatchObject({
        code: "out-of-scope",
      });
    });

    it("tells what may be read from what may be changed", async () => {
      const { computer } = open({ "src/a.txt": "a", "out/b.txt": "b", "c.txt": "c" });
      const { files } = openScope(computer, {
        fs: { read: ["src/**", "out/**"], write: ["out/**"] },
      });
      expect(await readText(files, "src/a.txt")).toBe("a");
      await files.write("out/b.txt", "new");
      await expect(files.read("c.txt")).rejects.toMatchObject({ code: "out-of-scope" });
      await expect(files.write("src/a.txt", "")).rejects.toMatchObject({ code: "out-of-scope" });
      await expect(files.remove("src/a.txt")).rejects.toMatchObject({ code: "out-of-scope" });
      await expect(files.move("src/a.txt", "out/a.txt")).rejects.toMatchObject({
        code: "out-of-scope",
      });
    });

    it("never reads outside, however a path is put together", async () => {
      const { files, root } = open({ "a/b": "in" });
      const part = fc.constantFrom("..", ".", "", "a", "b", "...", "~", "a b", "\u00e4", "%2e%2e");
      await fc.assert(
        fc.asyncProperty(
          fc.boolean(),
          fc.array(part, { maxLength: 8 }),
          async (isAbsolute, parts) => {
            const path = `${isAbsolute ? "/" : "x/"}${parts.join("/")}`;
            const resolved = files.resolve(path);
            const isInside = resolved === root || resolved.startsWith(`${root}/`);
            const outcome = await files.stat(path).then(
              () => "found",
              (error: { code: string }) => error.code,
            );
            expect(outcome === "out-of-scope").toBe(!isInside);
          },
        ),
        { numRuns: 60, examples: [[true, ["..", "etc"]]] },
      );
    });
  });

  describe(`secrets (${surface})`, () => {
    const names = [
      ".env",
      ".env.local",
      ".ENV",
      "id_rsa",
      ".aws/config",
      "server.pem",
      "\uFF0Eenv",
    ];

    it.each(names)("does not read %s, there or not", async (name) => {
      const here = open({ [name]: "TOKEN=1" });
      const elsewhere = open();
      for (const { files, root } of [here, elsewhere]) {
        await expect(files.read(name)).rejects.toMatchObject({
          code: "secret-file",
          message: `Refusing to read ${root}/${name}: files of this kind hold secrets.`,
        });
        await expect(files.read(name, { offset: 0, length: 1 })).rejects.toMatchObject({
          code: "secret-file",
        });
      }
    });

    it("shows that a secret is there", async () => {
      const { files } = open({ ".env": "TOKEN=1" });
      expect(await files.stat(".env")).toMatchObject({ kind: "file" });
      expect(await files.list(".")).toEqual([{ name: ".env", kind: "file" }]);
    });

    it("does not let a secret be moved to where it could be read", async () => {
      const { files } = open({ ".env": "TOKEN=1" });
      await expect(files.move(".env", "env.txt")).rejects.toMatchObject({ code: "secret-file" });
    });
  });

  describe(`protected paths (${surface})`, () => {
    const names = [".git/hooks/pre-commit", ".git/config", ".GIT/Config", ".bashrc", ".haft/rules"];

    it.each(names)("does not change %s, there or not", async (name) => {
      for (const { files, journal } of [
        open({ [name]: "old", "a.txt": "" }),
        open({ "a.txt": "" }),
      ]) {
        const refusal = { code: "denied" };
        await expect(files.write(name, "evil", { parents: true })).rejects.toMatchObject(refusal);
        await expect(files.remove(name)).rejects.toMatchObject(refusal);
        await expect(files.move(name, "b.txt")).rejects.toMatchObject(refusal);
        await expect(files.move("a.txt", name)).rejects.toMatchObject(refusal);
        for (const to of everyState) {
          const changing = files.change([{ path: name, to, parents: true }]);
          await expect(changing).rejects.toMatchObject(refusal);
        }
        expect(journal).toEqual([]);
      }
    });

    it("changes exactly the one that a rule names", async () => {
      const { computer, root } = open({ ".git/hooks/pre-push": "" });
      const isNamed = (path: string): boolean => path === `${root}/.git/hooks/pre-commit`;
      const { files } = openScope(computer, undefined, { isNamed });
      await files.write(".git/hooks/pre-commit", "mine");
      await files.change([{ path: ".git/hooks/pre-commit", to: { kind: "absent" } }]);
      for (const path of [".git/hooks/pre-push", ".git/hooks/x", ".git/hooks", ".git/config"]) {
        await expect(files.write(path, "evil")).rejects.toMatchObject({ code: "denied" });
      }
    });

    it("makes the directories that such a path needs", async () => {
      const { computer, root } = open();
      const isNamed = (path: string): boolean => path === `${root}/.git/hooks/pre-commit`;
      const { files } = openScope(computer, undefined, { isNamed });
      await files.write(".git/hooks/pre-commit", "mine", { parents: true });
      expect(await readText(files, ".git/hooks/pre-commit")).toBe("mine");
    });

    it("reads them", async () => {
      const { files } = open({ ".git/config": "[core]" });
      expect(await readText(files, ".git/config")).toBe("[core]");
    });
  });
}
