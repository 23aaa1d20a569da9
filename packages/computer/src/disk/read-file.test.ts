import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { bytesOf, openScope } from "../test-support/open-scope.ts";
import { nobody } from "../test-support/privileges.ts";
import { runSource } from "../test-support/spawn-source.ts";
import { canPinThroughProc } from "./proc-pinning.ts";

const open = (files: Readonly<Record<string, string>> = {}) => {
  const workspace = createDiskWorkspace(files);
  return { ...workspace, ...openScope(workspace.computer) };
};

describe("reading from disk", () => {
  it("refuses a pipe without a writer at once, and leaves it alone", async () => {
    const { files, root } = open();
    execFileSync("mkfifo", [join(root, "pipe")]);
    await expect(files.read("pipe")).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining("Not a regular file"),
    });
    expect(await files.stat("pipe")).toMatchObject({ kind: "other" });
    expect(await files.list(".")).toEqual([{ name: "pipe", kind: "other" }]);
    for (const attempt of [
      files.write("pipe", ""),
      files.remove("pipe"),
      files.move("pipe", "x"),
      files.load("pipe"),
      files.change([{ path: "pipe", to: { kind: "file", content: new Uint8Array() } }]),
      files.change([{ path: "pipe", to: { kind: "link", target: "x" } }]),
      files.change([{ path: "pipe", to: { kind: "absent" } }]),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: "failed" });
    }
  });

  it("answers at once to a socket", async () => {
    const { files, root } = open();
    const server = createServer().listen(join(root, "socket"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    await expect(files.read("socket")).rejects.toMatchObject({ code: "failed" });
    await expect(files.write("socket", "")).rejects.toMatchObject({ code: "failed" });
  });

  it("reads a window of a file that is far too large, and no more", async () => {
    const { files, root } = open();
    const size = 20 * 2 ** 30;
    const fd = openSync(join(root, "sparse"), "w");
    ftruncateSync(fd, size);
    writeSync(fd, "end", size - 3);
    closeSync(fd);
    expect(await files.read("sparse", { offset: size - 3, length: 100 })).toEqual(bytesOf("end"));
    expect(await files.read("sparse", { offset: 0, length: 4 })).toEqual(new Uint8Array(4));
    expect(await files.stat("sparse")).toMatchObject({ size });
    await expect(files.read("sparse")).rejects.toMatchObject({
      code: "too-large",
      message: expect.stringContaining("Read a part of it with offset and length."),
    });
    const half = { offset: 0, length: size / 2 };
    await expect(files.read("sparse", half)).rejects.toMatchObject({ code: "too-large" });
    await expect(files.load("sparse")).rejects.toMatchObject({
      code: "too-large",
      message: expect.stringContaining("can be changed"),
    });
    await expect(files.write("sparse", "")).rejects.toMatchObject({ code: "too-large" });
    const changing = files.change([{ path: "sparse", to: { kind: "absent" } }]);
    await expect(changing).rejects.toMatchObject({ code: "too-large" });
    await expect(files.remove("sparse")).rejects.toMatchObject({ code: "too-large" });
  });

  it("reads a large file whole and in its order", async () => {
    const { files, root } = open();
    const content = new Uint8Array(9 * 1024 * 1024 + 7).map((_, index) => index % 251);
    writeFileSync(join(root, "large"), content);
    const read = await files.read("large");
    expect(Buffer.compare(read, content)).toBe(0);
    const window = await files.read("large", { offset: 1_000_001, length: 500_000 });
    expect(Buffer.compare(window, content.subarray(1_000_001, 1_500_001))).toBe(0);
  });

  it("returns bytes that share no memory with others", async () => {
    const { files } = open({ "a.txt": "text" });
    const bytes = await files.read("a.txt");
    expect(bytes.constructor).toBe(Uint8Array);
    expect(bytes.buffer.byteLength).toBe(4);
  });

  it("says of a file without permission that this is why", async () => {
    const { root } = open({ "a.txt": "text" });
    chmodSync(join(root, "a.txt"), 0o000);
    chmodSync(join(root, ".."), 0o755);
    expect(await runSource("attempt.ts", [root, "read", "a.txt"], nobody)).toMatchObject({
      code: "failed",
      message: expect.stringMatching(/Permission denied.*a\.txt/u),
    });
  });

  it("finds a name that looks like a deleted file's", async () => {
    const { files } = open({ "a (deleted)": "still here", ".env (deleted)": "x" });
    expect(await files.read("a (deleted)")).toEqual(bytesOf("still here"));
  });

  it("answers to a name that is too long", async () => {
    const { files } = open();
    await expect(files.read("x".repeat(300))).rejects.toMatchObject({ code: "invalid-arguments" });
    const deep = "x/".repeat(3000);
    await expect(files.read(deep)).rejects.toMatchObject({ code: "invalid-arguments" });
  });

  it.skipIf(!canPinThroughProc())(
    "leaves no descriptor open, whatever happens (needs /proc)",
    async () => {
      const { files, root } = open({ "a.txt": "text", "b.txt": "", ".env": "" });
      const paths = ["a.txt", ".env", "missing", ".", "../x", root, "a.txt/b", "d"];
      for (let round = 0; round < 5; round++) {
        for (const path of paths) {
          await Promise.allSettled([
            files.read(path),
            files.stat(path),
            files.list(path),
            files.write(path, "", { expect: "absent" }),
            files.write(`${path}/x`, "", { parents: true }),
            files.load(path),
            files.change([
              { path: `new-${round}`, to: { kind: "file", content: new Uint8Array(9) } },
              { path, to: { kind: "file", content: new Uint8Array() }, expect: "absent" },
            ]),
            files.change([{ path: `${path}-link`, to: { kind: "link", target: "a.txt" } }]),
            files.move(path, "b.txt"),
            files.remove(path),
          ]);
        }
      }
      const descriptors = readdirSync("/proc/self/fd").map((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`);
        } catch {
          return "";
        }
      });
      expect(descriptors.filter((path) => path.startsWith(root))).toEqual([]);
    },
  );
});
