import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Io } from "../../io.ts";
import { readPrompt } from "./read-prompt.ts";
import { createTestIo } from "./test-support/test-io.ts";

async function textOf(words: readonly string[], changes: Partial<Io> = {}): Promise<unknown> {
  const [part] = (await readPrompt({ words, files: [] }, createTestIo(changes))) ?? [];
  return part?.type === "text" ? part.text : part;
}

const piped: Partial<Io> = { readInput: async () => "from the pipe\n" };

describe("readPrompt", () => {
  it("joins the words", async () => {
    expect(await textOf(["say", "it"])).toBe("say it");
    expect(await textOf([])).toBeUndefined();
  });

  it("puts what is piped in behind the words, or where - stands", async () => {
    expect(await textOf(["sum", "up"], piped)).toBe("sum up\n\nfrom the pipe");
    expect(await textOf(["-"], piped)).toBe("from the pipe");
    expect(await textOf(["first", "-", "then", "this"], piped)).toBe(
      "first\n\nfrom the pipe\n\nthen this",
    );
  });

  it("reads no input where a person types or nothing comes", async () => {
    const readInput = () => Promise.reject(new Error("unexpected read"));
    expect(await textOf(["hi"], { interactive: true, readInput })).toBe("hi");
    expect(await textOf(["hi"], { hasInput: async () => false, readInput })).toBe("hi");
    expect(await textOf(["hi"], { hasInput: async () => true, ...piped })).toContain("pipe");
  });

  it("refuses an empty prompt, and files without one", async () => {
    await expect(textOf(["-"])).rejects.toThrow("The prompt is empty.");
    await expect(textOf(["  "])).rejects.toThrow("The prompt is empty.");
    await expect(readPrompt({ words: [], files: ["a"] }, createTestIo())).rejects.toThrow(
      "--file needs a prompt",
    );
  });
});

describe("files of a prompt", () => {
  const images = {
    "image/png": "\u0089PNG\r\n\u001a\n0000",
    "image/jpeg": "\u00ff\u00d8\u00ff\u00e00000",
    "image/gif": "GIF89a0000",
    "image/webp": "RIFF\n\r\u0000\u0001WEBPVP8",
  };

  function createDirectory(files: Readonly<Record<string, Buffer | string>>): string {
    const directory = mkdtempSync(join(tmpdir(), "haft-prompt-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(directory, name), content);
    return directory;
  }

  function read(files: readonly string[], directory: string) {
    return readPrompt({ words: ["look"], files }, createTestIo({ directory }));
  }

  it.each(Object.entries(images))("attaches %s as it is", async (mediaType, head) => {
    const bytes = Buffer.from(head, "latin1");
    const directory = createDirectory({ file: bytes });
    expect(await read(["file"], directory)).toEqual([
      { type: "text", text: "look" },
      { type: "file", mediaType, data: bytes.toString("base64") },
    ]);
  });

  it("attaches texts with their paths, in order", async () => {
    const directory = createDirectory({ "a.txt": "é\n", "b.txt": "b" });
    expect(await read(["b.txt", join(directory, "a.txt")], directory)).toEqual([
      { type: "text", text: "look" },
      { type: "text", text: '<file path="b.txt">\nb\n</file>' },
      { type: "text", text: `<file path="${directory}/a.txt">\né\n</file>` },
    ]);
  });

  it("refuses what is not a file, too large or neither text nor image", async () => {
    const directory = createDirectory({
      "large.txt": "x".repeat(200 * 1024 + 1),
      huge: "",
      "binary.bin": Buffer.from([0x61, 0x00, 0x62]),
      "latin.txt": Buffer.from([0xe9, 0x20]),
    });
    truncateSync(join(directory, "huge"), 6 * 1024 * 1024);
    await expect(read(["none"], directory)).rejects.toThrow(/--file none: it cannot be read/u);
    await expect(read(["."], directory)).rejects.toThrow("--file .: it is not a file.");
    await expect(read(["large.txt"], directory)).rejects.toThrow("larger than 200 KB");
    await expect(read(["huge"], directory)).rejects.toThrow("larger than 5120 KB");
    await expect(read(["binary.bin"], directory)).rejects.toThrow("neither UTF-8 text nor");
    await expect(read(["latin.txt"], directory)).rejects.toThrow("neither UTF-8 text nor");
  });
});
