import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readUntrustedFile } from "./read-untrusted-file.ts";

describe("readUntrustedFile", () => {
  let base: string;
  let within: string;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "haft-untrusted-"));
    within = join(base, "workspace");
    mkdirSync(join(within, "inner"), { recursive: true });
    writeFileSync(join(base, "secret"), "key");
    writeFileSync(join(within, "inner/report"), "fine");
  });

  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const read = (path: string, maxBytes = 100) =>
    readUntrustedFile(join(within, path), { within, maxBytes });

  it("reads a regular file", () => {
    expect(read("inner/report").bytes?.toString()).toBe("fine");
  });

  it("reads below a directory that is itself reached through a link", () => {
    const alias = join(base, "alias");
    symlinkSync(within, alias);
    const found = readUntrustedFile(join(alias, "inner/report"), { within: alias, maxBytes: 10 });
    expect(found.bytes?.toString()).toBe("fine");
  });

  it.each([
    ["a link to a file outside", () => symlinkSync(join(base, "secret"), join(within, "x"))],
    ["a link to a file inside", () => symlinkSync("inner/report", join(within, "x"))],
    ["a dangling link", () => symlinkSync("nowhere", join(within, "x"))],
    ["a link in a circle", () => symlinkSync("x", join(within, "x"))],
    ["a pipe", () => execFileSync("mkfifo", [join(within, "x")])],
    ["a directory", () => mkdirSync(join(within, "x"))],
    ["a device behind a link", () => symlinkSync("/dev/zero", join(within, "x"))],
  ])("refuses %s", (_what, make) => {
    make();
    expect(read("x")).toMatchObject({ fault: expect.any(String), isMissing: false });
  });

  it("refuses a socket", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(within, "x"), resolve));
    expect(read("x").fault).toBe("is not a regular file");
    await new Promise((resolve) => server.close(resolve));
  });

  it("refuses a file below a linked directory, at any depth", () => {
    mkdirSync(join(base, "outside/deep"), { recursive: true });
    writeFileSync(join(base, "outside/deep/file"), "key");
    symlinkSync("../outside", join(within, "link"));
    mkdirSync(join(within, "a/b"), { recursive: true });
    symlinkSync("../../inner", join(within, "a/b/c"));
    expect(read("link/deep/file").fault).toBe("is reached through a link");
    expect(read("a/b/c/report").fault).toBe("is reached through a link");
  });

  it("refuses a path outside of the directory", () => {
    expect(read("../secret").fault).toBe("is reached through a link");
  });

  it("refuses a file that is too large, or returns its head on demand", () => {
    truncateSync(join(within, "inner/report"), 1024 ** 4);
    expect(read("inner/report").fault).toContain("the limit is 100");
    const options = { within, maxBytes: 2, takesHead: true };
    const head = readUntrustedFile(join(within, "inner/report"), options);
    expect(head.bytes?.toString()).toBe("fi");
  });

  it("refuses a file of another owner", () => {
    const owner = process.getuid?.() ?? 0;
    const path = join(within, "inner/report");
    const fromStranger = readUntrustedFile(path, { within, maxBytes: 10, owners: [owner + 1] });
    expect(fromStranger.fault).toBe("has another owner");
    const own = readUntrustedFile(path, { within, maxBytes: 10, owners: [owner] });
    expect(own.bytes?.toString()).toBe("fine");
  });

  it("tells a missing file from one that can't be used", () => {
    expect(read("nowhere")).toMatchObject({ isMissing: true });
    expect(read("inner/report/x")).toMatchObject({ isMissing: true });
  });
});
