import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { PathState } from "@haft/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { openScope, readText } from "../test-support/open-scope.ts";
import { findLanding } from "./landing.ts";
import { portablePinning } from "./portable-pinning.ts";
import { procPinning } from "./proc-pinning.ts";

const outOfScope = { code: "out-of-scope" };

describe.each([
  ["through /proc", procPinning],
  ["by comparison", portablePinning],
])("links, pinned %s", (_name, pinning) => {
  const open = (files: Readonly<Record<string, string>> = {}) => {
    const workspace = createDiskWorkspace(files, pinning);
    return { ...workspace, ...openScope(workspace.computer) };
  };

  it("follows a link that stays inside", async () => {
    const { files, root } = open({ "a/real.txt": "text" });
    symlinkSync("a/real.txt", join(root, "link.txt"));
    symlinkSync("a", join(root, "dir"));
    expect(await readText(files, "link.txt")).toBe("text");
    expect(await readText(files, "dir/real.txt")).toBe("text");
    expect(await files.load("link.txt")).toEqual(await files.load("a/real.txt"));
    expect(await files.list("dir")).toEqual([{ name: "real.txt", kind: "file" }]);
  });

  it.each(["absolute", "relative"])(
    "reads nothing through an %s link that leads out",
    async (form) => {
      const { files, root, outside } = open();
      writeFileSync(join(outside, "there.txt"), "secret");
      const target = form === "absolute" ? outside : "../outside";
      symlinkSync(target, join(root, "dir"));
      symlinkSync(`${target}/there.txt`, join(root, "file"));
      for (const path of ["dir/there.txt", "dir/missing.txt", "dir/no/such", "dir", "file"]) {
        await expect(files.read(path)).rejects.toMatchObject(outOfScope);
        await expect(files.stat(path)).rejects.toMatchObject(outOfScope);
        await expect(files.list(path)).rejects.toMatchObject(outOfScope);
      }
    },
  );

  it("answers alike for what exists outside and what does not", async () => {
    const { files, root, outside } = open();
    writeFileSync(join(outside, "x"), "");
    mkdirSync(join(outside, "y"));
    symlinkSync(outside, join(root, "out"));
    const answers = new Set<string>();
    for (const name of ["x", "y", "z", "x/below", "y/below"]) {
      for (const attempt of [files.read, files.stat, files.list, files.load]) {
        const path = `out/${name}`;
        const error = await attempt(path).catch((reason: Error) => reason);
        expect(error).toMatchObject({ ...outOfScope, absolutePath: join(root, path) });
        answers.add(String(error).replaceAll(join(root, path), "PATH"));
      }
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers].join()).not.toContain(outside);
  });

  it("writes nothing through a link that leads out", async () => {
    const { files, root, outside, journal, changed } = open({ "a.txt": "a" });
    writeFileSync(join(outside, "there.txt"), "theirs");
    symlinkSync(outside, join(root, "dir"));
    symlinkSync(join(outside, "there.txt"), join(root, "file"));
    symlinkSync(join(outside, "new.txt"), join(root, "dangling"));
    symlinkSync(join(outside, "missing"), join(root, "nowhere"));
    for (const path of [
      "dir/new.txt",
      "dir/there.txt",
      "dir/n/e/w",
      "file",
      "dangling",
      "nowhere/x",
    ]) {
      await expect(files.write(path, "evil", { parents: true })).rejects.toMatchObject(outOfScope);
      const to: PathState = { kind: "file", content: new Uint8Array() };
      const changes = [{ path, to, parents: true }];
      await expect(files.change(changes)).rejects.toMatchObject(outOfScope);
      await expect(files.load(path)).rejects.toMatchObject(outOfScope);
    }
    await expect(files.remove("dir/there.txt")).rejects.toMatchObject(outOfScope);
    await expect(files.move("dir/there.txt", "mine")).rejects.toMatchObject(outOfScope);
    await expect(files.move("a.txt", "dir/new.txt")).rejects.toMatchObject(outOfScope);
    expect(readdirSync(outside)).toEqual(["there.txt"]);
    expect(readFileSync(join(outside, "there.txt"), "utf8")).toBe("theirs");
    expect([journal, changed]).toEqual([[], []]);
  });

  it("tells nothing of links outside that lead in a circle or to a directory", async () => {
    const { files, root, outside } = open();
    symlinkSync("loop", join(outside, "loop"));
    mkdirSync(join(outside, "dir"));
    for (const target of ["loop", "dir", "dir/", "dir/.", "dir/..", "missing", "missing/"]) {
      symlinkSync(`${outside}/${target}`, join(root, "link"));
      await expect(files.read("link")).rejects.toMatchObject(outOfScope);
      await expect(files.write("link", "")).rejects.toMatchObject(outOfScope);
      rmSync(join(root, "link"));
    }
  });

  it("never gets out, however links are laid", async () => {
    const name = fc.constantFrom("a", "b", "c");
    const step = fc.constantFrom("..", "a", "b", "c", "../outside", "../../outside", "file");
    const link = fc.tuple(
      fc.array(name, { minLength: 1, maxLength: 2 }),
      fc.array(step, { minLength: 1, maxLength: 3 }),
    );
    const { files, root, outside } = open();
    writeFileSync(join(outside, "file"), "outside");
    await fc.assert(
      fc.asyncProperty(
        fc.array(link, { maxLength: 5 }),
        fc.array(fc.oneof(name, fc.constant("file")), { minLength: 1, maxLength: 4 }),
        async (links, path) => {
          for (const entry of readdirSync(root)) rmSync(join(root, entry), { recursive: true });
          mkdirSync(join(root, "a/b"), { recursive: true });
          writeFileSync(join(root, "a/file"), "inside");
          for (const [at, to] of links) {
            const place = join(root, ...at);
            if (!findLanding(dirname(place)).startsWith(root)) continue;
            try {
              symlinkSync(to.join("/"), place);
            } catch {
              // Something is there already, or nothing to put it in.
            }
          }
          const asked = path.join("/");
          const read = await readText(files, asked).catch(() => "refused");
          expect(["inside", "mine", "refused"]).toContain(read);
          await files.write(asked, "mine", { parents: true }).catch(() => undefined);
          await files.remove(`${asked}/file`).catch(() => undefined);
          const to: PathState = { kind: "file", content: new Uint8Array() };
          const changes = [{ path: `${asked}/new`, to, parents: true }];
          await files.change(changes).catch(() => undefined);
          expect(readdirSync(outside)).toEqual(["file"]);
          expect(readFileSync(join(outside, "file"), "utf8")).toBe("outside");
        },
      ),
      { numRuns: 100 },
    );
  });

  it("judges every link of a chain by where the chain ends", async () => {
    const { files, root, outside } = open({ "real.txt": "text" });
    writeFileSync(join(outside, "x"), "");
    symlinkSync("two", join(root, "one"));
    symlinkSync("three", join(root, "two"));
    symlinkSync("../outside/x", join(root, "three"));
    await expect(files.read("one")).rejects.toMatchObject(outOfScope);
    await expect(files.write("one", "")).rejects.toMatchObject(outOfScope);
    symlinkSync(join(root, "real.txt"), join(outside, "back"));
    symlinkSync("../outside/back", join(root, "around"));
    expect(await readText(files, "around")).toBe("text");
  });

  it("ends at a link that leads to itself", async () => {
    const { files, root } = open();
    symlinkSync("loop", join(root, "loop"));
    for (const attempt of [files.read("loop"), files.stat("loop/x"), files.write("loop", "")]) {
      await expect(attempt).rejects.toMatchObject({
        code: "failed",
        message: expect.stringContaining("form a loop"),
      });
    }
  });

  it("keeps a link and replaces what it leads to", async () => {
    const { files, root, journal, changed } = open({ "real/file.txt": "old" });
    symlinkSync("real/file.txt", join(root, "link"));
    symlinkSync("link", join(root, "link-to-link"));
    expect(await files.write("link-to-link", "new")).toMatchObject({ created: false });
    expect(readlinkSync(join(root, "link"))).toBe("real/file.txt");
    expect(readlinkSync(join(root, "link-to-link"))).toBe("link");
    expect(readFileSync(join(root, "real/file.txt"), "utf8")).toBe("new");
    expect(changed).toEqual([join(root, "real/file.txt")]);
    expect(journal).toMatchObject([{ path: join(root, "real/file.txt") }]);
  });

  it("makes what a dangling link inside leads to", async () => {
    const { files, root } = open();
    symlinkSync("later.txt", join(root, "link"));
    expect(await files.write("link", "now")).toMatchObject({ created: true });
    expect(readFileSync(join(root, "later.txt"), "utf8")).toBe("now");
    expect(lstatSync(join(root, "link")).isSymbolicLink()).toBe(true);
  });

  it("does not change the other names of a file", async () => {
    const { files, root, outside } = open();
    writeFileSync(join(outside, "theirs"), "theirs");
    linkSync(join(outside, "theirs"), join(root, "mine"));
    await files.write("mine", "mine");
    expect(readFileSync(join(outside, "theirs"), "utf8")).toBe("theirs");
    expect(readFileSync(join(root, "mine"), "utf8")).toBe("mine");
  });

  it("removes and moves a link itself", async () => {
    const { files, root, outside } = open();
    writeFileSync(join(outside, "theirs"), "theirs");
    symlinkSync(join(outside, "theirs"), join(root, "one"));
    await files.move("one", "two");
    expect(readlinkSync(join(root, "two"))).toBe(join(outside, "theirs"));
    await files.remove("two");
    expect(readdirSync(root)).toEqual([]);
    expect(existsSync(join(outside, "theirs"))).toBe(true);
  });

  it("lists a link as what it leads to, if that is in scope", async () => {
    const { files, root, outside } = open({ "d/a.txt": "" });
    writeFileSync(join(outside, "x"), "");
    const targets = { file: "d/a.txt", dir: "d", out: outside, outfile: join(outside, "x") };
    for (const [name, target] of Object.entries({
      ...targets,
      gone: "nowhere",
      dev: "/dev/null",
    })) {
      symlinkSync(target, join(root, `link-${name}`));
    }
    expect(await files.list(".")).toEqual([
      { name: "d", kind: "directory" },
      { name: "link-dev", kind: "other" },
      { name: "link-dir", kind: "directory" },
      { name: "link-file", kind: "file" },
      { name: "link-gone", kind: "other" },
      { name: "link-out", kind: "other" },
      { name: "link-outfile", kind: "other" },
    ]);
  });

  it("changes only a protected file that is named by itself and by each name for it", async () => {
    const { computer, root } = open({ ".git/config": "[core]" });
    symlinkSync(".git/config", join(root, "settings"));
    const named = [join(root, "settings"), join(root, ".git/config")];
    for (const names of [named.slice(0, 1), named.slice(1)]) {
      const { files } = openScope(computer, undefined, { isNamed: (path) => names.includes(path) });
      await expect(files.write("settings", "")).rejects.toMatchObject({ code: "denied" });
    }
    const { files } = openScope(computer, undefined, { isNamed: (path) => named.includes(path) });
    await files.write("settings", "[mine]");
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe("[mine]");
  });

  it("knows secrets and protected files behind links with harmless names", async () => {
    const { files, root, journal } = open({ ".env": "TOKEN=1", ".git/config": "[core]" });
    symlinkSync(".env", join(root, "notes.txt"));
    symlinkSync("missing/.env", join(root, "later.txt"));
    symlinkSync(".git", join(root, "repository"));
    symlinkSync(".git/config", join(root, "settings"));
    await expect(files.read("notes.txt")).rejects.toMatchObject({ code: "secret-file" });
    await expect(files.read("later.txt")).rejects.toMatchObject({ code: "secret-file" });
    for (const path of ["repository/config", "repository/hooks/pre-push", "settings"]) {
      await expect(files.write(path, "", { parents: true })).rejects.toMatchObject({
        code: "denied",
      });
    }
    expect(journal).toEqual([]);
  });

  it("finds no way out through the kernel's own links", async () => {
    const { files, root } = open();
    symlinkSync("/proc/self/root/etc/passwd", join(root, "passwd"));
    symlinkSync("/proc/self/environ", join(root, "environ"));
    symlinkSync("/dev/fd/0", join(root, "stdin"));
    for (const path of ["passwd", "environ", "stdin"]) {
      await expect(files.read(path)).rejects.toMatchObject(outOfScope);
      await expect(files.write(path, "")).rejects.toMatchObject(outOfScope);
    }
  });
});
