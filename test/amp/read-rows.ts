import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { resultOf } from "./open-amp.ts";
import type { Row } from "./row.ts";

const png = Uint8Array.from(
  atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  ),
  (character) => character.charCodeAt(0),
);

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

/** What `Read` does. */
export const readRows: readonly Row[] = [
  {
    lines: "001:51-53",
    says: "a file comes as numbered lines",
    holds: async ({ put, call }) => {
      const path = put("a.txt", "first\nsecond\n\nlast");
      expect(await call("Read", { path })).toEqual({
        status: "done",
        result: "1: first\n2: second\n3: \n4: last",
      });
    },
  },
  {
    lines: "001:57-61",
    says: "a directory comes as names, directories with a slash",
    holds: async ({ root, put, call }) => {
      for (const path of ["d/file.txt", "d/subdir/x", "d/another-file.js"]) put(path, "");
      expect(await call("Read", { path: join(root, "d") })).toEqual({
        status: "done",
        result: "another-file.js\nfile.txt\nsubdir/",
      });
    },
  },
  {
    lines: "001:129-134",
    says: "a large directory is listed whole",
    holds: async ({ root, call }) => {
      mkdirSync(join(root, "many"));
      for (let at = 0; at < 600; at++) writeFileSync(join(root, `many/${at}`), "");
      const result = resultOf<string>(await call("Read", { path: join(root, "many") }));
      expect(result.split("\n")).toHaveLength(600);
    },
  },
  {
    lines: "001:129-134",
    says: "a listing that is cut says so, and where to go on",
    holds: async ({ root, call }) => {
      mkdirSync(join(root, "many"));
      for (let at = 0; at < 2_003; at++) writeFileSync(join(root, `many/${at}`), "");
      const path = join(root, "many");
      const shown = resultOf<string>(await call("Read", { path })).split("\n");
      expect(shown).toHaveLength(2_001);
      expect(shown.at(-1)).toBe(
        "[3 more entries are not shown. Continue with read_range [2001, 2003].]",
      );
      const rest = resultOf<string>(await call("Read", { path, read_range: [2001, 2003] }));
      expect(rest.split("\n")).toHaveLength(3);
    },
  },
  {
    lines: "001:141-144",
    says: "a range that ends before it starts holds nothing",
    holds: async ({ put, call }) => {
      const path = put("a.txt", "1\n2\n3\n");
      expect(await call("Read", { path, read_range: [3, 1] })).toEqual({
        status: "done",
        result: "",
      });
      expect(await call("Read", { path: `${path}x`, read_range: [3, 1] })).toMatchObject({
        error: { message: `ENOENT: no such file or directory '${path}x'` },
      });
    },
  },
  {
    lines: "001:65-72",
    says: "an image comes as base64 with its media type",
    holds: async ({ put, call }) => {
      const path = put("dot.png", png);
      expect(await call("Read", { path })).toEqual({
        status: "done",
        result: { type: "image", media_type: "image/png", data: btoa(String.fromCharCode(...png)) },
      });
    },
  },
  {
    lines: "001:77,117-124",
    says: "a missing file is ENOENT with its absolute path",
    holds: async ({ root, call }) => {
      const path = join(root, "missing.txt");
      expect(await call("Read", { path })).toMatchObject({
        status: "error",
        error: {
          message: `ENOENT: no such file or directory '${path}'`,
          absolutePath: path,
        },
      });
    },
  },
  ...[".env", "credentials.json", ".env.local"].map(
    (name): Row => ({
      lines: "001:78,100,107-115",
      says: `${name} is a secret`,
      holds: async ({ put, call }) => {
        expect(await call("Read", { path: put(name, "KEY=1") })).toMatchObject({
          status: "error",
          error: {
            errorCode: "reading-secret-file",
            message: "Refusing to read env file. Reading secrets is not permitted.",
          },
        });
      },
    }),
  ),
  {
    lines: "001:79",
    says: "a binary file is refused",
    holds: async ({ put, call }) => {
      const path = put("a.bin", Uint8Array.of(1, 0, 2, 0, 255));
      expect(await call("Read", { path })).toMatchObject({
        status: "error",
        error: { message: "File appears to be binary and cannot be displayed as text." },
      });
    },
  },
  {
    lines: "001:80,85",
    says: "a file above 65,536 bytes is refused, one of that size is not",
    holds: async ({ put, call }) => {
      const most = put("most.txt", `${"x".repeat(1023)}\n`.repeat(64));
      expect(await call("Read", { path: most })).toMatchObject({ status: "done" });
      const more = put("more.txt", `${`${"x".repeat(1023)}\n`.repeat(64)}y`);
      expect(await call("Read", { path: more })).toMatchObject({
        status: "error",
        error: { message: "File content exceeds maximum allowed size (65536 bytes)" },
      });
    },
  },
  {
    lines: "001:80,90",
    says: "with a range the window is what may not exceed 65,536 bytes",
    holds: async ({ put, call }) => {
      const path = put("large.txt", `${"x".repeat(1023)}\n`.repeat(100));
      expect(await call("Read", { path, read_range: [3, 4] })).toEqual({
        status: "done",
        result: `3: ${"x".repeat(1023)}\n4: ${"x".repeat(1023)}`,
      });
      expect(await call("Read", { path, read_range: [1, 100] })).toMatchObject({
        status: "error",
        error: { message: "File content exceeds maximum allowed size (65536 bytes)" },
      });
    },
  },
  {
    lines: "001:86,141",
    says: "reads 500 lines by default",
    holds: async ({ put, call }) => {
      const path = put("a.txt", lines(700));
      const result = resultOf<string>(await call("Read", { path }));
      expect(result.split("\n")).toHaveLength(500);
      expect(result.endsWith("500: line 500")).toBe(true);
    },
  },
  {
    lines: "001:87",
    says: "a line is cut after 4,096 bytes",
    holds: async ({ put, call }) => {
      const path = put("a.txt", `${"x".repeat(5000)}\nshort\n`);
      const result = resultOf<string>(await call("Read", { path }));
      const [first, second] = result.split("\n");
      expect(first?.startsWith(`1: ${"x".repeat(4096)}`)).toBe(true);
      expect(first).not.toContain("x".repeat(4097));
      expect(second).toBe("2: short");
    },
  },
  {
    lines: "001:88,99",
    says: "2,000 lines at most, whatever the range",
    holds: async ({ put, call }) => {
      const path = put("a.txt", lines(3000));
      const result = resultOf<string>(await call("Read", { path, read_range: [11, 2900] }));
      expect(result.split("\n")).toHaveLength(2000);
      expect(result.endsWith("2010: line 2010")).toBe(true);
    },
  },
  {
    lines: "001:96",
    says: "~ is the home directory",
    holds: async ({ home, call }) => {
      expect(await call("Read", { path: "~/a.txt" })).toMatchObject({
        status: "error",
        error: { absolutePath: join(home, "a.txt") },
      });
    },
  },
  {
    lines: "001:97",
    says: "a relative path starts at the workspace",
    holds: async ({ put, call }) => {
      put("d/a.txt", "here");
      expect(await call("Read", { path: "d/a.txt" })).toEqual({
        status: "done",
        result: "1: here",
      });
    },
  },
  {
    lines: "001:142-144",
    says: "a range begins at 1 at the earliest, ends with the file, and may be empty",
    holds: async ({ put, call }) => {
      const path = put("a.txt", lines(3));
      const read = async (read_range: number[]): Promise<unknown> =>
        resultOf(await call("Read", { path, read_range }));
      expect(await read([-5, 1])).toBe("1: line 1");
      expect(await read([2, 99])).toBe("2: line 2\n3: line 3");
      expect(await read([9, 12])).toBe("");
    },
  },
  {
    lines: "001:149",
    says: "space at the end of a line is not shown",
    holds: async ({ put, call }) => {
      const path = put("a.txt", "a  \t\r\n  b\r\n   \nc");
      expect(await call("Read", { path })).toEqual({
        status: "done",
        result: "1: a\n2:   b\n3: \n4: c",
      });
    },
  },
  {
    lines: "001:100",
    says: "a link to a secret is a secret",
    holds: async ({ root, put, call }) => {
      symlinkSync(put(".env", "KEY=1"), join(root, "plain.txt"));
      expect(await call("Read", { path: join(root, "plain.txt") })).toMatchObject({
        error: { errorCode: "reading-secret-file" },
      });
    },
  },
];
