import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { fromKeyText } from "./master-key.ts";
import { writeMasterKeyFile } from "./master-key-file.ts";
import { openSecretBox } from "./open-secret-box.ts";

const run = promisify(execFile);
const place = ["tool-variable", "o", "t", "NAME"];
const newKeyText = (): string => randomBytes(32).toString("base64");
const openWith = (key: string) => openSecretBox({ environment: { HAFT_MASTER_KEY: key } });

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});
function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "haft-secrets-"));
  directories.push(directory);
  return directory;
}

describe("a secret box", () => {
  const box = openWith(newKeyText());

  it.each(["", "a", "s3cret", "ä€😀\0\n", "x".repeat(100_000)])("opens what it sealed", (text) => {
    expect(box.open(box.seal(text, place), place)).toBe(text);
  });

  it("shows nothing of the text, and seals it differently each time", () => {
    const sealed = box.seal("correct horse battery staple", place);
    expect(sealed).toMatch(/^v1\.[0-9a-f]{16}\.[\w-]+$/);
    const bytes = Buffer.from(sealed.split(".")[2] ?? "", "base64url");
    expect(bytes.includes("horse")).toBe(false);
    expect(box.seal("correct horse battery staple", place)).not.toBe(sealed);
  });

  it("refuses what was sealed for another row", () => {
    const sealed = box.seal("s3cret", ["tool-variable", "ab", "c", "NAME"]);
    for (const other of [
      ["tool-variable", "a", "bc", "NAME"],
      ["tool-variable", "ab", "c", "NAMES"],
      ["tool-variable", 'ab","c', "NAME"],
      ["tool-variable", "ab", "c", "NAME", ""],
      ["tool-variable", "ab", "c"],
      ["user-variable", "ab", "c", "NAME"],
      [],
    ]) {
      expect(() => box.open(sealed, other)).toThrow(/changed, or was sealed for another row/);
    }
  });

  it("refuses what was changed, wherever it was", () => {
    const sealed = box.seal("s3cret", place);
    for (let index = 0; index < sealed.length; index += 1) {
      const other = sealed[index] === "A" ? "B" : "A";
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
      expect(() => box.open(changed, place)).toThrow();
    }
    const [version, id, content = ""] = sealed.split(".");
    const cut = [content.slice(0, -1), content.slice(0, 20), `${content}A`, `${content}=`, ""];
    for (const each of cut) {
      expect(() => box.open(`${version}.${id}.${each}`, place)).toThrow();
    }
  });

  it("refuses a key that it does not have, and says what to do", () => {
    const sealed = openWith(newKeyText()).seal("s3cret", place);
    expect(() => box.open(sealed, place)).toThrow(
      /"NAME" was sealed with the master key [0-9a-f]{16}, .* put that key back into HAFT_MASTER_KEY/,
    );
  });

  it("never says in an error what was sealed", () => {
    const sealed = box.seal("s3cret", place);
    try {
      box.open(sealed, ["other"]);
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain("s3cret");
      expect(String(error)).not.toContain(sealed);
    }
  });
});

describe("HAFT_MASTER_KEY", () => {
  it("seals with the first key and opens with all", () => {
    const [older, newer] = [newKeyText(), newKeyText()];
    const before = openWith(older).seal("s3cret", place);
    const box = openWith(`${newer}, ${older}`);
    expect(box.open(before, place)).toBe("s3cret");
    const after = box.seal("s3cret", place);
    expect(openWith(newer).open(after, place)).toBe("s3cret");
    expect(() => openWith(older).open(after, place)).toThrow();
  });

  it("is the same key in base64, base64url and hexadecimal", () => {
    const bytes = randomBytes(32);
    const sealed = openWith(bytes.toString("base64")).seal("s3cret", place);
    expect(openWith(bytes.toString("base64url")).open(sealed, place)).toBe("s3cret");
    expect(openWith(bytes.toString("hex")).open(sealed, place)).toBe("s3cret");
    expect(openWith(bytes.toString("hex").toUpperCase()).open(sealed, place)).toBe("s3cret");
  });

  it.each(["short", randomBytes(31).toString("base64"), randomBytes(33).toString("hex")])(
    "is refused if it is no key, without being repeated",
    (text) => {
      const open = () => openWith(`${newKeyText()},${text}`);
      expect(open).toThrow(/HAFT_MASTER_KEY is malformed: key 2 of 2 is not 32 bytes/);
      expect(open).not.toThrow(text);
    },
  );

  it("is needed where there is no data directory", () => {
    expect(() => openSecretBox({ environment: {} })).toThrow(/HAFT_MASTER_KEY is not set/);
    expect(() => openWith(" ")).toThrow(/HAFT_MASTER_KEY is not set/);
  });

  it("goes before the file, of which then none is made", () => {
    const directory = newDirectory();
    openSecretBox({ directory, environment: { HAFT_MASTER_KEY: newKeyText() } }).seal("a", place);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe("master.key", () => {
  const open = (directory: string) => openSecretBox({ directory, environment: {} });
  const pathIn = (directory: string): string => join(directory, "master.key");

  it("is made once, for its owner only", () => {
    const directory = join(newDirectory(), "new", "data");
    const sealed = open(directory).seal("s3cret", place);
    expect(statSync(pathIn(directory)).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(["master.key"]);
    expect(open(directory).open(sealed, place)).toBe("s3cret");
  });

  it("is the same for all processes that start at once", async () => {
    const directory = newDirectory();
    const source = `import { openSecretBox } from ${JSON.stringify(import.meta.resolve("./open-secret-box.ts"))};
      const box = openSecretBox({ directory: ${JSON.stringify(directory)}, environment: {} });
      process.stdout.write(box.seal("s3cret", ["place"]));`;
    const start = () => run(process.execPath, ["--input-type=module", "--eval", source]);
    const sealed = await Promise.all([start(), start(), start(), start()]);
    for (const { stdout } of sealed) expect(open(directory).open(stdout, ["place"])).toBe("s3cret");
    expect(readdirSync(directory)).toEqual(["master.key"]);
  });

  it.each([0o640, 0o604, 0o622])("is refused if others have access", (mode) => {
    const directory = newDirectory();
    open(directory);
    chmodSync(pathIn(directory), mode);
    expect(() => open(directory)).toThrow(`chmod 600 ${pathIn(directory)}`);
  });

  it.each(["", "# nothing\n", "not a key\n"])("is refused if it is malformed", (text) => {
    const directory = newDirectory();
    writeFileSync(pathIn(directory), text, { mode: 0o600 });
    expect(() => open(directory)).toThrow(/master\.key is malformed: .*Restore it from a copy/);
    expect(readFileSync(pathIn(directory), "utf8")).toBe(text);
  });

  it("takes keys as people write them", () => {
    const directory = newDirectory();
    const [one, two] = [newKeyText(), newKeyText()];
    writeFileSync(pathIn(directory), `# ours\r\n\r\n ${one}\r\n${two}`, { mode: 0o600 });
    const sealed = open(directory).seal("s3cret", place);
    expect(openWith(one).open(sealed, place)).toBe("s3cret");
    expect(open(directory).open(openWith(two).seal("b", place), place)).toBe("b");
  });

  it("is read again when another process has changed it", () => {
    const directory = newDirectory();
    const box = open(directory);
    const before = box.seal("before", place);
    const key = fromKeyText(newKeyText());
    if (key === undefined) return expect.unreachable();
    writeMasterKeyFile(directory, [key]);
    const elsewhere = open(directory).seal("elsewhere", place);
    expect(box.open(elsewhere, place)).toBe("elsewhere");
    expect(open(directory).open(box.seal("after", place), place)).toBe("after");
    expect(box.open(before, place)).toBe("before");
    expect(() => open(directory).open(before, place)).toThrow(/put that key back into master\.key/);
  });

  it("must not vanish: nothing is sealed with a key that is only in memory", () => {
    const directory = newDirectory();
    const box = open(directory);
    const sealed = box.seal("s3cret", place);
    rmSync(pathIn(directory));
    expect(() => box.seal("s3cret", place)).toThrow(/master\.key is missing.*Restore it/);
    expect(box.open(sealed, place)).toBe("s3cret");
  });
});
