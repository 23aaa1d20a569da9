import { existsSync, lstatSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../test-support/temporary-directory.ts";
import { copyEtc } from "./etc-copy.ts";
import { etcExceptions, etcNames } from "./etc-table.ts";

describe.runIf(process.platform === "linux")("copyEtc", () => {
  it("has what programs need, what is made for them, and nothing that is secret", () => {
    const copy = copyEtc(makeTemporaryDirectory(), { passwd: "me\n" });
    expect(readFileSync(join(copy, "passwd"), "utf8")).toBe("me\n");
    if (existsSync("/etc/ssl/certs")) expect(existsSync(join(copy, "ssl/certs"))).toBe(true);
    for (const name of readdirSync(copy)) {
      expect(name === "passwd" || etcNames.test(name)).toBe(true);
    }
    expect(existsSync(join(copy, "ssl/private"))).toBe(false);
  });

  it("is made once, and again for other files", () => {
    const directory = makeTemporaryDirectory();
    const copy = copyEtc(directory, { passwd: "a" });
    const { ino } = lstatSync(copy);
    expect(copyEtc(directory, { passwd: "a" })).toBe(copy);
    expect(lstatSync(copy).ino).toBe(ino);
    expect(copyEtc(directory, { passwd: "b" })).not.toBe(copy);
    expect(existsSync(copy)).toBe(true);
    expect(readdirSync(directory).every((name) => name.startsWith("etc-"))).toBe(true);
  });

  it("leaves others what they may still use", () => {
    const directory = makeTemporaryDirectory();
    const copy = copyEtc(directory, { passwd: "a" });
    // Only the ctime counts, which can't be set back.
    utimesSync(copy, new Date(1000), new Date(1000));
    copyEtc(directory, { passwd: "b" });
    expect(existsSync(copy)).toBe(true);
  });
});

describe("the table of /etc", () => {
  it.each([
    "shadow",
    "gshadow",
    "sudoers",
    "ssh",
    "passwd-",
    "npmrc",
    "pip.conf",
    "gitconfig",
    "machine-id",
    "environment",
    "cron.d",
    "postgresql",
    "wpa_supplicant",
    "ssl-old",
    "fstab",
  ])("has no %s", (name) => {
    expect(etcNames.test(name)).toBe(false);
  });

  it.each([
    "ld.so.cache",
    "ssl",
    "pki",
    "alternatives",
    "localtime",
    "java-17-openjdk",
    "python3",
    "python3.11",
    "os-release",
    "fedora-release",
    "mime.types",
  ])("has %s", (name) => {
    expect(etcNames.test(name)).toBe(true);
  });

  it("leaves out keys even there", () => {
    expect(["private", "server.key"].every((name) => etcExceptions.test(name))).toBe(true);
    expect(etcExceptions.test("ca-certificates.crt")).toBe(false);
  });
});
