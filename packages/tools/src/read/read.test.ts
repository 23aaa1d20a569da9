import { type ByteWindow, type FileSystem, type Runtime, ToolError } from "@haft/contract";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import {
  computers,
  type Files,
  type MakeComputer,
  openRuntime,
} from "../test-support/computers.ts";
import { read } from "./read.ts";
import type { ReadArguments } from "./read-arguments.ts";

const encoder = new TextEncoder();

/** A file system with one file that is never held in memory: `make` gives any part of it. */
function createVirtualFile(size: number, make: (window: ByteWindow) => Uint8Array) {
  const reads: ByteWindow[] = [];
  const unused = async (): Promise<never> => {
    throw new Error("not expected");
  };
  const fs: FileSystem = {
    resolve: (path) => `/workspace/${path}`,
    stat: async () => ({ kind: "file", size, modifiedMs: 0, mode: 0o644, version: "1" }),
    read: async (_, window = { offset: 0, length: size }) => {
      reads.push(window);
      const length = Math.max(0, Math.min(window.length, size - window.offset));
      return make({ offset: window.offset, length });
    },
    write: unused,
    list: unused,
    remove: unused,
    move: unused,
    load: unused,
    splice: unused,
    change: unused,
    findFiles: unused,
    findText: unused,
  };
  return { reads, runtime: createTestRuntime({ fs }) };
}

describe.each(computers)("read %s", (_, make: MakeComputer) => {
  const call = (files: Files, args: ReadArguments, overrides: Partial<Runtime> = {}) => {
    const computer = make(files);
    return read.execute(args, openRuntime(computer, read, overrides));
  };

  it("numbers the lines of a file and tells all about it", async () => {
    const computer = make({ "src/a.ts": "one\ntwo\n" });
    const data = await read.execute({ path: "src/a.ts" }, openRuntime(computer, read));
    expect(data).toEqual({
      path: `${computer.roots[0]}/src/a.ts`,
      type: "file",
      content: "1: one\n2: two",
      start_line: 1,
      end_line: 2,
      total_lines: 2,
      size: 8,
    });
  });

  it("reads an absolute path", async () => {
    const computer = make({ a: "one" });
    const path = `${computer.roots[0]}/a`;
    const data = await read.execute({ path }, openRuntime(computer, read));
    expect(data).toMatchObject({ path, content: "1: one" });
  });

  it("shows the lines asked for and where to continue", async () => {
    const data = await call({ a: "1\n2\n3\n4\n5\n" }, { path: "a", offset: 2, limit: 2 });
    expect(data).toMatchObject({
      content: "2: 2\n3: 3",
      start_line: 2,
      end_line: 3,
      next_offset: 4,
    });
  });

  it("shows 2,000 lines unless told otherwise", async () => {
    const text = Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}`).join("\n");
    const data = await call({ a: text }, { path: "a" });
    expect(data).toMatchObject({ end_line: 2_000, next_offset: 2_001, total_lines: 2_500 });
    const rest = await call({ a: text }, { path: "a", offset: 2_001 });
    expect(rest).toMatchObject({ start_line: 2_001, end_line: 2_500 });
    expect(rest).not.toHaveProperty("next_offset");
  });

  it("shows at most 200 KB and continues where it stopped", async () => {
    const text = Array.from({ length: 1_000 }, () => "é".repeat(200)).join("\n");
    const first = await call({ a: text }, { path: "a" });
    expect(encoder.encode(first.content).length).toBeLessThanOrEqual(200 * 1024);
    expect(encoder.encode(first.content).length).toBeGreaterThan(199 * 1024);
    const second = await call({ a: text }, { path: "a", offset: first.next_offset ?? 0 });
    expect(second.start_line).toBe((first.end_line ?? 0) + 1);
    expect(second.end_line).toBe(1_000);
  });

  it("gives nothing for an empty file", async () => {
    const data = await call({ a: "" }, { path: "a" });
    expect(data).toMatchObject({ content: "", total_lines: 0, size: 0 });
    expect(data).not.toHaveProperty("start_line");
    expect(await call({ a: "" }, { path: "a", byte_offset: 0 })).toMatchObject({ content: "" });
  });

  it("refuses an offset past the end and says how many lines there are", async () => {
    await expect(call({ a: "1\n2\n" }, { path: "a", offset: 3 })).rejects.toMatchObject({
      code: "invalid-arguments",
      message: expect.stringMatching(/^Line 3 is past the end: .*\/a has 2 lines\.$/u),
    });
    await expect(call({ a: "" }, { path: "a", offset: 2 })).rejects.toMatchObject({
      code: "invalid-arguments",
    });
  });

  it("shows neither carriage returns nor byte order marks", async () => {
    const data = await call({ a: "\ufeffone\r\ntwo\r\n" }, { path: "a" });
    expect(data.content).toBe("1: one\n2: two");
  });

  it.each([true, false])("decodes UTF-16, little-endian: %s", async (isLittle) => {
    const text = "\ufeffzwölf\r\n😀\n";
    const view = new DataView(new ArrayBuffer(text.length * 2));
    for (let at = 0; at < text.length; at++) {
      view.setUint16(at * 2, text.charCodeAt(at), isLittle);
    }
    const file = new Uint8Array(view.buffer);
    expect((await call({ a: file }, { path: "a" })).content).toBe("1: zwölf\n2: 😀");
    const part = await call({ a: file }, { path: "a", byte_offset: 4, byte_limit: 5 });
    expect(part).toMatchObject({ content: "wö", start_byte: 4, end_byte: 8 });
  });

  it.each<[encoding: string, bytes: readonly number[], text: string]>([
    [
      "windows-1252",
      [0x63, 0x61, 0x66, 0xe9, 0x20, 0x61, 0x75, 0x20, 0x6c, 0x61, 0x69, 0x74],
      "café au lait",
    ],
    [
      "shift_jis",
      [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x83, 0x65, 0x83, 0x4c],
      "日本語のテキ",
    ],
    [
      "euc-jp",
      [0xc6, 0xfc, 0xcb, 0xdc, 0xb8, 0xec, 0xa4, 0xce, 0xa5, 0xc6, 0xa5, 0xad],
      "日本語のテキ",
    ],
    [
      "euc-kr",
      [0xc7, 0xd1, 0xb1, 0xb9, 0xbe, 0xee, 0x20, 0xb1, 0xdb, 0xc0, 0xd4, 0xb4, 0xcf, 0xb4, 0xd9],
      "한국어 글입니다",
    ],
  ])("shows a file in %s, and says that it is", async (encoding, bytes, text) => {
    const file = Uint8Array.from([...bytes, 0x0a, ...bytes, 0x0d, 0x0a]);
    const data = await call({ a: file }, { path: "a" });
    expect(data).toMatchObject({ content: `1: ${text}\n2: ${text}`, encoding, size: file.length });
    const part = await call(
      { a: file },
      { path: "a", byte_offset: bytes.length + 1, byte_limit: 9 },
    );
    expect(part.encoding).toBe(encoding);
    expect(text.startsWith(part.content)).toBe(true);
    expect(part.content.length).toBeGreaterThan(3);
  });

  it("says nothing of an encoding that is UTF-8", async () => {
    expect(await call({ a: "é\n" }, { path: "a" })).not.toHaveProperty("encoding");
  });

  it("decodes UTF-16 without a mark", async () => {
    const text = "plain words, and more\n";
    const file = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const wide = Uint8Array.from({ length: file.length * 2 }, (_, at) =>
      at % 2 ? 0 : (file[at / 2] as number),
    );
    const data = await call({ a: wide }, { path: "a" });
    expect(data).toMatchObject({ content: "1: plain words, and more", encoding: "utf-16le" });
  });

  it("shows what is broken in a file that is UTF-8", async () => {
    const file = Uint8Array.of(0xc3, 0xa9, 0x20, 0xff, 0x20, 0xc3, 0xa9, 0x0a);
    expect((await call({ a: file }, { path: "a" })).content).toBe("1: é \ufffd é");
    const late = new Uint8Array(300 * 1024).fill(0x0a);
    late.set(encoder.encode("é"), 10);
    late.set([0x61, 0xff, 0x62], 290 * 1024);
    const line = 290 * 1024 - 1;
    const data = await call({ a: late }, { path: "a", offset: line, limit: 1 });
    expect(data.content).toBe(`${line}: a\ufffdb`);
  });

  it.each<[string, Uint8Array]>([
    ["a NUL byte", Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0)],
    ["many control characters", Uint8Array.from({ length: 200 }, (_, at) => 1 + ((at * 7) % 200))],
  ])("refuses a file with %s as binary", async (_, content) => {
    const refusal = { code: "binary", message: expect.stringContaining("is a binary file") };
    await expect(call({ a: content }, { path: "a" })).rejects.toMatchObject(refusal);
    await expect(call({ a: content }, { path: "a", byte_offset: 1 })).rejects.toMatchObject(
      refusal,
    );
  });

  it("lists a directory in order, directories with a slash", async () => {
    const files = { "d/b.txt": "", "d/a/x": "", "d/B": "", "d/c/y": "" };
    const data = await call(files, { path: "d" });
    expect(data).toMatchObject({ type: "directory", content: "B\na/\nb.txt\nc/", total_lines: 4 });
    expect(data).not.toHaveProperty("next_offset");
  });

  it("lists a part of a directory", async () => {
    const files = { "d/a": "", "d/b": "", "d/c": "", "d/d": "" };
    const data = await call(files, { path: "d", offset: 2, limit: 2 });
    expect(data).toMatchObject({ content: "b\nc", start_line: 2, end_line: 3, next_offset: 4 });
    await expect(call(files, { path: "d", offset: 5 })).rejects.toMatchObject({
      code: "invalid-arguments",
      message: expect.stringContaining("has 4 entries"),
    });
  });

  it("writes a name with a line break so that it stays one name", async () => {
    expect((await call({ "d/a\nb": "" }, { path: "d" })).content).toBe('"a\\nb"');
  });

  it("lists an empty directory", async () => {
    const computer = make({ "d/a": "" });
    const writer = openRuntime(computer, { requires: { fs: { write: ["**"], read: ["**"] } } });
    await writer.fs.remove("d/a");
    const data = await read.execute({ path: "d" }, openRuntime(computer, read));
    expect(data).toMatchObject({ type: "directory", content: "", total_lines: 0 });
  });

  it("reads raw text by bytes", async () => {
    const files = { a: "one\r\ntwo\n" };
    const data = await call(files, { path: "a", byte_offset: 2, byte_limit: 5 });
    expect(data).toMatchObject({ content: "e\r\ntw", start_byte: 2, end_byte: 7, size: 9 });
    expect(await call(files, { path: "a", byte_limit: 4 })).toMatchObject({ content: "one\r" });
    expect(await call(files, { path: "a", byte_offset: 4 })).toMatchObject({ content: "\ntwo\n" });
  });

  it("shrinks a range of bytes to whole characters", async () => {
    const data = await call({ a: "😀é😀" }, { path: "a", byte_offset: 1, byte_limit: 7 });
    expect(data).toMatchObject({ content: "é", start_byte: 4, end_byte: 6, size: 10 });
  });

  it("comes through any text by bytes, however small the steps", async () => {
    const text = "a😀é\u20acz😀\n";
    let content = "";
    for (let at = 0, size = 1; at < size; ) {
      const part = await call({ a: text }, { path: "a", byte_offset: at, byte_limit: 4 });
      content += part.content;
      at = part.end_byte ?? Number.NaN;
      size = part.size ?? 0;
    }
    expect(content).toBe(text);
  });

  it("shows at most 200 KB of raw text", async () => {
    const data = await call({ a: "x".repeat(300_000) }, { path: "a", byte_limit: 300_000 });
    expect(data).toMatchObject({ start_byte: 0, end_byte: 204_800, size: 300_000 });
    expect(data.content.length).toBe(204_800);
  });

  it("shows at most 200 KB of raw text that grows when it is decoded", async () => {
    const text = `\ufeff${"\u20ac".repeat(100_000)}`;
    const file = new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer);
    const data = await call({ a: file }, { path: "a", byte_offset: 0 });
    const bytes = encoder.encode(data.content).length;
    expect(bytes).toBeLessThanOrEqual(204_800);
    expect(bytes).toBeGreaterThan(204_000);
    expect(data.end_byte).toBe(2 + data.content.length * 2);
  });

  it("refuses a byte offset past the end and says how many bytes there are", async () => {
    await expect(call({ a: "four" }, { path: "a", byte_offset: 4 })).rejects.toMatchObject({
      code: "invalid-arguments",
      message: expect.stringMatching(/^Byte 4 is past the end: .*\/a has 4 bytes\.$/u),
    });
  });

  it.each<Partial<ReadArguments>>([
    { offset: 1, byte_offset: 0 },
    { limit: 1, byte_limit: 4 },
    { offset: 1, byte_limit: 4 },
  ])("refuses lines and bytes together: %j", async (both) => {
    await expect(call({ a: "x" }, { path: "a", ...both })).rejects.toMatchObject({
      code: "invalid-arguments",
    });
  });

  it("passes on what the files say of a missing path, or one out of scope", async () => {
    await expect(call({}, { path: "missing" })).rejects.toMatchObject({ code: "not-found" });
    await expect(call({}, { path: "/etc/hostname" })).rejects.toMatchObject({
      code: "out-of-scope",
    });
    await expect(call({}, { path: "/etc" })).rejects.toMatchObject({ code: "out-of-scope" });
    await expect(call({ "d/a": "" }, { path: "d", byte_offset: 0 })).rejects.toMatchObject({
      code: "failed",
    });
  });

  it("reads across chunks as if there were none", async () => {
    // Lines of odd lengths, so that chunks end inside lines, characters and line breaks.
    const lines = Array.from({ length: 30_000 }, (_, at) => `${at} ${"😀é".repeat(at % 9)}`);
    const text = lines.join("\r\n");
    expect(encoder.encode(text).length).toBeGreaterThan(3 * 256 * 1024);
    const shown: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const data = await call({ a: text }, { path: "a", offset });
      expect(data.size).toBe(encoder.encode(text).length);
      shown.push(data.content);
      offset = data.next_offset;
    }
    const expected = lines.map((line, index) => `${index + 1}: ${line}`);
    expect(shown.join("\n") === expected.join("\n")).toBe(true);
  });
});

describe("read", () => {
  it("reads a small file in one go and looks at nothing else", async () => {
    const text = encoder.encode("one\ntwo\n");
    const { reads, runtime } = createVirtualFile(text.length, ({ offset, length }) =>
      text.subarray(offset, offset + length),
    );
    await read.execute(
      { path: "a" },
      { ...runtime, fs: { ...runtime.fs, stat: runtime.fs.list as never } },
    );
    expect(reads).toHaveLength(1);
  });

  it("stops as soon as it has its lines", async () => {
    const line = encoder.encode("0123456789abcde\n");
    const { reads, runtime } = createVirtualFile(10 ** 10, ({ length }) => {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; at += line.length) bytes.set(line.subarray(0, length - at), at);
      return bytes;
    });
    const data = await read.execute({ path: "huge", offset: 20_000, limit: 3 }, runtime);
    expect(data).toMatchObject({ start_line: 20_000, end_line: 20_002, next_offset: 20_003 });
    expect(data).toMatchObject({ size: 10 ** 10 });
    expect(data).not.toHaveProperty("total_lines");
    expect(reads).toHaveLength(2);
  });

  it("answers for a line of 500 MB without reading all of it", async () => {
    const chunk = new Uint8Array(256 * 1024).fill(0x78);
    const { reads, runtime } = createVirtualFile(500 * 1024 * 1024, ({ length }) =>
      chunk.subarray(0, length),
    );
    const data = await read.execute({ path: "long" }, runtime);
    expect(data.content).toMatch(/^1: x{2000}\.\.\. \[at least \d{8} more characters\]$/u);
    expect(data).toMatchObject({ end_line: 1, next_offset: 2, size: 500 * 1024 * 1024 });
    expect(Math.max(...reads.map((window) => window.length))).toBeLessThanOrEqual(256 * 1024);
    expect(reads.length).toBeLessThan(200);
  });

  it("comes past a line of 20 MB without holding it", async () => {
    const size = 20 * 1024 * 1024;
    const last = encoder.encode("\nend\n");
    const { runtime } = createVirtualFile(size, ({ offset, length }) => {
      const bytes = new Uint8Array(length).fill(0x78);
      if (length > 0 && offset + length === size) bytes.set(last, length - last.length);
      return bytes;
    });
    const data = await read.execute({ path: "long" }, runtime);
    const missing = size - 5 - 2_000;
    expect(data.content).toBe(`1: ${"x".repeat(2_000)}... [${missing} more characters]\n2: end`);
    expect(runtime.reported.length).toBeGreaterThan(0);
  });

  it("counts lines without decoding those before the range", async () => {
    // In chunks of 256 KB, so that lines, characters and line breaks are cut at their edges.
    const lines = Array.from({ length: 60_000 }, (_, at) => `${at} ${"é😀".repeat(at % 5)}`);
    const text = encoder.encode(lines.join("\r\n"));
    const { runtime } = createVirtualFile(text.length, ({ offset, length }) =>
      text.subarray(offset, offset + length),
    );
    for (const first of [2, 9_000, 25_117, 40_001, 59_999, 60_000]) {
      const data = await read.execute({ path: "a", offset: first, limit: 2 }, runtime);
      const expected = lines.slice(first - 1, first + 1);
      expect(data.content).toBe(expected.map((line, at) => `${first + at}: ${line}`).join("\n"));
    }
    await expect(read.execute({ path: "a", offset: 60_001 }, runtime)).rejects.toMatchObject({
      message: expect.stringContaining("has 60000 lines"),
    });
  });

  it("counts a last line that has no break, also where the file ends with a chunk", async () => {
    const text = new Uint8Array(512 * 1024).fill(0x78);
    text[5] = 0x0a;
    const { runtime } = createVirtualFile(text.length, ({ offset, length }) =>
      text.subarray(offset, offset + length),
    );
    await expect(read.execute({ path: "a", offset: 9 }, runtime)).rejects.toMatchObject({
      message: expect.stringContaining("has 2 lines"),
    });
  });

  it("gives up on a file with nothing in it but its size, however late that begins", async () => {
    const head = new Uint8Array(256 * 1024).fill(0x0a);
    const { reads, runtime } = createVirtualFile(20 * 1024 ** 3, ({ offset, length }) =>
      offset === 0 ? head : new Uint8Array(length),
    );
    const call = read.execute({ path: "a", offset: 10 ** 6 }, runtime);
    await expect(call).rejects.toMatchObject({ code: "binary" });
    expect(reads).toHaveLength(2);
    const data = await read.execute({ path: "a", offset: 256 * 1024, limit: 2 }, runtime);
    expect(data.end_line).toBe(256 * 1024 + 1);
  });

  it("shows at most 200 KB of a listing", async () => {
    const { runtime } = createVirtualFile(0, () => new Uint8Array());
    const entries = Array.from({ length: 3_000 }, (_, index) => ({
      name: `${index}`.padStart(100, "0"),
      kind: "file" as const,
    }));
    const fs: FileSystem = {
      ...runtime.fs,
      read: async () => {
        throw new ToolError("failed", "Is a directory.");
      },
      stat: async () => ({ kind: "directory", size: 0, modifiedMs: 0, mode: 0o755, version: "1" }),
      list: async () => entries,
    };
    const data = await read.execute({ path: "d", limit: 3_000 }, { ...runtime, fs });
    expect(data.content.length).toBeLessThanOrEqual(204_800);
    expect(data.next_offset).toBe((data.end_line ?? 0) + 1);
    expect(data.total_lines).toBe(3_000);
  });

  it("stops scanning when it is aborted", async () => {
    const controller = new AbortController();
    const chunk = new Uint8Array(256 * 1024).fill(0x78);
    const { reads, runtime } = createVirtualFile(10 ** 10, () => {
      if (reads.length === 3) controller.abort();
      return chunk;
    });
    const call = read.execute({ path: "a" }, { ...runtime, signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: "cancelled" });
    expect(reads).toHaveLength(3);
  });

  it("passes on a bug in the files as what it is", async () => {
    const { runtime } = createVirtualFile(10, () => {
      throw new RangeError("a bug");
    });
    await expect(read.execute({ path: "a" }, runtime)).rejects.toThrow(RangeError);
  });
});

describe.each(computers)("%s", (_, make) => {
  const files = { "a.txt": "one\ntwo\nthree\n", "d/x": "", binary: Uint8Array.of(1, 0, 2) };
  const runtime = () => openRuntime(make(files), read);
  describeToolContract(read, [
    { name: "a file", arguments: { path: "a.txt" }, runtime, expect: { data: { total_lines: 3 } } },
    {
      name: "some lines",
      arguments: { path: "a.txt", offset: 2, limit: 1 },
      runtime,
      expect: { data: { content: "2: two", next_offset: 3 } },
    },
    {
      name: "some bytes",
      arguments: { path: "a.txt", byte_offset: 4, byte_limit: 4 },
      runtime,
      expect: { data: { content: "two\n", end_byte: 8 } },
    },
    { name: "a directory", arguments: { path: "d" }, runtime, expect: { data: { content: "x" } } },
    { name: "a missing file", arguments: { path: "b" }, runtime, expect: { error: "not-found" } },
    { name: "a binary file", arguments: { path: "binary" }, runtime, expect: { error: "binary" } },
    {
      name: "lines and bytes",
      arguments: { path: "a.txt", offset: 1, byte_offset: 1 },
      runtime,
      expect: { error: "invalid-arguments" },
    },
    {
      name: "line zero",
      arguments: { path: "a.txt", offset: 0 },
      runtime,
      expect: { error: "invalid-arguments" },
    },
    { name: "no path", arguments: {}, runtime, expect: { error: "invalid-arguments" } },
  ]);
});
