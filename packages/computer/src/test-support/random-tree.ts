import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";

/** A tree of files to search in, as ripgrep and we are to see it. */
export interface RandomTree {
  /** Contents by path; a path that ends in a slash is an empty directory. */
  readonly files: Readonly<Record<string, string>>;
  /** Targets of links, by path. */
  readonly links: Readonly<Record<string, string>>;
  /** The directory to start in. */
  readonly start: string;
}

const name = fc.constantFrom(
  ...["a", "b", "ab", "src", "dist", "node_modules", "a.ts", "b.ts", "a.b.ts", "b.log", ".env.x"],
  ...[".hid", ".github", "x y", "ä", "日本", "[a]", "{a}", "#a", "!a", "a.", "A", "\\a", "a*b"],
);

const directoryName = fc.constantFrom("a", "b", "src", "dist", ".hid", "lib", "x y", "ä");

const directory = fc
  .array(directoryName, { maxLength: 3 })
  .map((parts) => parts.map((part) => `${part}/`).join(""));

const piece = fc.constantFrom(
  ...["a", "b", "src", "dist", "lib", ".hid", "*", "?", "**", "*.ts", "*.log", "a*", "*b*", ".*"],
  ...["[ab]", "[!a]", "[^a]*", "[a-c]?", "[]a]", "[a", "a]", "{a,b}", "{a,b*}.ts", "{a", "a}", "ä"],
  ...["\\a", "\\*", "\\", "[ä]", "?.ts", "a.", "a**", "**b", "x y", "[a\\]", "{,a}", "{a/b,src}"],
  ...[
    "[a-]",
    "[--a]",
    "[!]a]",
    "{**/a,b}",
    "日?",
    "*.*",
    "**.ts",
    "[Aa]",
    "\\[a\\]",
    "{a,{b,dist}}",
  ],
);

const pattern = fc
  .record({
    negated: fc.constantFrom("", "", "", "!", "\\!", "\\#", "#"),
    anchor: fc.constantFrom("", "", "", "/", "**/"),
    pieces: fc.oneof(
      fc.array(piece, { minLength: 1, maxLength: 1 }),
      fc.array(piece, { minLength: 1, maxLength: 3 }),
    ),
    joint: fc.constantFrom("/", "/", ""),
    end: fc.constantFrom("", "", "", "/", "/**", "/*", " ", "\\ ", "\t ", "\r", "\\/"),
  })
  .map(({ negated, anchor, pieces, joint, end }) => negated + anchor + pieces.join(joint) + end);

const ignoreFile = fc
  .record({
    head: fc.constantFrom("", "", "\uFEFF"),
    lines: fc.array(pattern, { minLength: 1, maxLength: 5 }),
  })
  .map(({ head, lines }) => `${head}${lines.join("\n")}\n`);

const ignoreName = fc.constantFrom(
  ".gitignore",
  ".gitignore",
  ".gitignore",
  ".ignore",
  ".rgignore",
);

const repository = fc.constantFrom<readonly [string, string]>(
  [".git/HEAD", "ref"],
  [".git/HEAD", "ref"],
  [".git", "gitdir: /nowhere"],
  [".jj/", ""],
);

const entries = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(directory, name).map(([at, last]) => [at + last, "text\n"]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(directory, ignoreName, ignoreFile)
      .map(([at, last, text]) => [at + last, text]),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(directory, repository).map(([at, [last, text]]) => [at + last, text]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(directory, ignoreFile)
      .map(([at, text]) => [`${at}.git/info/exclude`, text]),
  },
);

/** Trees with ignore files of all kinds, repositories in repositories, and links. */
export const randomTree: fc.Arbitrary<RandomTree> = fc
  .record({
    isRepository: fc.constantFrom(true, true, true, false),
    entries: fc.array(entries, { minLength: 10, maxLength: 30 }),
    rules: ignoreFile,
    links: fc.array(fc.tuple(directory, name, fc.constantFrom("a", "../a", "b/a.ts", "/")), {
      maxLength: 2,
    }),
    global: fc.option(ignoreFile, { nil: undefined }),
    start: fc.oneof(fc.constant(""), fc.constant(""), directory),
  })
  .map(({ isRepository, entries: listed, rules, links, global, start }) => ({
    files: {
      "tree/.gitignore": rules,
      ...Object.fromEntries(listed.map(([path = "", text = ""]) => [`tree/${path}`, text])),
      ...(isRepository && { "tree/.git/HEAD": "ref" }),
      ...(global !== undefined && { "config/git/ignore": global }),
    },
    links: Object.fromEntries(links.map(([at, last, to]) => [`tree/${at}${last}`, to])),
    start: `tree/${start}`,
  }));

/** Puts a tree below a directory, as far as its parts are not in each other's way. */
export function plantTree({ files, links, start }: RandomTree, root: string): string {
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch {
      // A file is where a directory should be, or the other way round.
    }
  };
  const first = join(root, start);
  mkdirSync(first, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    attempt(() => mkdirSync(dirname(join(root, `${path}x`)), { recursive: true }));
    if (!path.endsWith("/")) attempt(() => writeFileSync(join(root, path), text));
  }
  for (const [path, target] of Object.entries(links)) {
    attempt(() => symlinkSync(target, join(root, path)));
  }
  return first.replace(/\/$/u, "");
}
