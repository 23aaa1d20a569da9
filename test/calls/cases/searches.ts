import type { CallCase } from "./call-case.ts";

const files = {
  "src/app.ts": "export const one = 1;\n// TODO later\n",
  "src/view.tsx": "export const Two = 2;\n",
  "docs/a.md": "one\n",
  ".github/ci.yml": "on: push\n",
};

const greps: readonly (readonly [Readonly<Record<string, unknown>>, shows: string])[] = [
  [{ pattern: "TODO\\|FIXME" }, "app.ts"],
  [{ pattern: "/todo/i" }, "app.ts"],
  [{ pattern: "export", glob: "*.ts,*.tsx" }, "view.tsx"],
  [{ pattern: "export", glob: "*.(ts|tsx)" }, "view.tsx"],
  [{ pattern: "export", glob: "**/*.{ts,tsx}" }, "view.tsx"],
  [{ pattern: "export", include: "*.tsx" }, "view.tsx"],
  [{ pattern: "todo", "-i": true }, "app.ts"],
  [{ pattern: "one", path: "`docs`" }, "a.md"],
];
const globs: readonly (readonly [string, shows: string])[] = [
  ["*.ts", "**/*.ts matches 1 file"],
  ["**/*.(ts|tsx)", "view.tsx"],
  ["src/*.ts, src/*.tsx", "view.tsx"],
  ["**/*.yml", "Hidden files"],
  [".github/*.yml", "ci.yml"],
];

/** Searches in the words of other programs. */
export const searchCases: readonly CallCase[] = [
  ...greps.map(([args, shows]) => ({ kind: "searches", files, name: "grep", args, shows })),
  ...globs.map(([pattern, shows]) => {
    return { kind: "searches", files, name: "glob", args: { pattern }, shows };
  }),
];
