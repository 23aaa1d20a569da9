import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";

/** Something that happens to a tree; whatever can't happen does not. */
export type TreeStep =
  | { readonly type: "write"; readonly path: string; readonly content: Buffer }
  | { readonly type: "remove"; readonly path: string }
  | { readonly type: "move"; readonly path: string; readonly to: string }
  | { readonly type: "link"; readonly path: string; readonly to: string };

const names = [
  "a.ts",
  "b.ts",
  "c",
  "é.md",
  "node_modules",
  ".hidden",
  ".env",
  "x.log",
  "dist",
  "d e",
];
const path = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join("/"));

const words = [
  "foo",
  "Foo bar",
  "  baz",
  "",
  "fooBAR()",
  "ſky Kelvin \u212a",
  "naïve",
  "\t// 漢字 foo",
  "x".repeat(300),
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom("\n", "\n", "\n", "\r\n", "\r", "")), {
    maxLength: 12,
  })
  .map((lines) => Buffer.from(lines.flat().join("")));

const content = fc.oneof(
  { weight: 6, arbitrary: text },
  // With a mark, in other encodings, as binary files, and with bytes that are no text.
  text.map((bytes) => Buffer.concat([Buffer.from("\ufeff"), bytes])),
  text.map((bytes) => Buffer.from(`\ufeff${bytes}`, "utf16le")),
  text.map((bytes) => Buffer.from(`\ufeff${bytes}`, "utf16le").swap16()),
  fc.tuple(text, text).map((parts) => Buffer.concat([...parts, Buffer.from([0]), ...parts])),
  fc.tuple(text, text).map(([a, b]) => Buffer.concat([a, Buffer.from([0xe9, 0x66, 0xff]), b])),
  text.map((bytes) => Buffer.concat([bytes, Buffer.alloc(70_000, "long line"), bytes])),
  text.map((bytes) =>
    Buffer.concat([bytes, Buffer.alloc(70_000, "line\n"), Buffer.from([0]), bytes]),
  ),
);

const ignoreFile = fc
  .array(
    fc.constantFrom("*.log", "dist", "/c", "!b.ts", "a.ts", "node_modules/", "c/**", "!.hidden"),
    {
      maxLength: 3,
    },
  )
  .map((rules) => Buffer.from(rules.join("\n")));
const ignorePath = fc
  .tuple(fc.constantFrom("", "c/", "dist/"), fc.constantFrom(".gitignore", ".ignore"))
  .map((parts) => parts.join(""));

/** Steps that make and change a small tree. */
export const randomSteps: fc.Arbitrary<TreeStep[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant("write" as const), path, content }) },
    fc.record({ type: fc.constant("write" as const), path: ignorePath, content: ignoreFile }),
    fc.record({ type: fc.constant("remove" as const), path }),
    fc.record({ type: fc.constant("move" as const), path, to: path }),
    fc.record({ type: fc.constant("link" as const), path, to: path }),
  ),
  { maxLength: 8 },
);

/** Takes a step. */
export function takeStep(root: string, step: TreeStep): void {
  const target = join(root, step.path);
  try {
    switch (step.type) {
      case "write":
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, step.content);
        break;
      case "remove":
        rmSync(target, { recursive: true, force: true });
        break;
      case "move":
        renameSync(target, join(root, step.to));
        break;
      case "link":
        symlinkSync(join(root, step.to), target);
    }
  } catch {
    // A directory is where a file should be, or the other way round.
  }
}
