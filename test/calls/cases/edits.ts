import type { CallCase } from "./call-case.ts";

interface Edit {
  readonly path: string;
  readonly text: string;
  readonly old: string;
  readonly now: string;
}

/** Edits as an assistant makes them, each in its file. */
const edits: readonly Edit[] = [
  {
    path: "src/cart.ts",
    text: 'export class Cart {\n  readonly #items: Item[] = [];\n\n  add(item: Item): void {\n    if (item.count < 1) {\n      throw new RangeError("count");\n    }\n    this.#items.push(item);\n  }\n\n  total(): number {\n    return this.#items.reduce((sum, { price }) => sum + price, 0);\n  }\n}\n',
    old: '    if (item.count < 1) {\n      throw new RangeError("count");\n    }',
    now: '    if (item.count < 1) {\n      throw new RangeError("count must be positive");\n    }',
  },
  {
    path: "app/views.py",
    text: 'def index(request):\n    """Show all posts."""\n    posts = Post.objects.all()\n    if request.user.is_staff:\n        posts = posts.include_drafts()\n    return render(request, "index.html", {"posts": posts})\n\n\ndef about(request):\n    return render(request, "about.html")\n',
    old: "    if request.user.is_staff:\n        posts = posts.include_drafts()\n",
    now: "    if request.user.is_staff:\n        posts = posts.include_drafts()\n        log.info('drafts')\n",
  },
  {
    path: "server/main.go",
    text: 'package main\n\nfunc main() {\n\tmux := http.NewServeMux()\n\tmux.HandleFunc("/", home)\n\tif err := http.ListenAndServe(":80", mux); err != nil {\n\t\tlog.Fatal(err)\n\t}\n}\n',
    old: '\tmux.HandleFunc("/", home)\n\tif err := http.ListenAndServe(":80", mux); err != nil {',
    now: '\tmux.HandleFunc("/", home)\n\tmux.HandleFunc("/health", health)\n\tif err := http.ListenAndServe(":8080", mux); err != nil {',
  },
  {
    path: "docs/intro.md",
    text: "# Intro\n\nIt\u2019s a \u201csmall\u201d tool \u2014 for you.  \nIt has two parts:\n\n- the reader\n- the writer\n\nThat\u2019s all.\n",
    old: "It\u2019s a \u201csmall\u201d tool \u2014 for you.  \nIt has two parts:",
    now: "It\u2019s a \u201clittle\u201d tool \u2014 for you.  \nIt has three parts:",
  },
  {
    path: "package.json",
    text: '{\n  "name": "shop",\n  "scripts": {\n    "build": "tsc -b",\n    "test": "vitest run"\n  },\n  "dependencies": {\n    "zod": "4.0.0"\n  }\n}\n',
    old: '    "build": "tsc -b",\n    "test": "vitest run"',
    now: '    "build": "tsc -b",\n    "lint": "biome ci",\n    "test": "vitest run"',
  },
  {
    path: "web/page.html",
    text: '<body>\n  <h1>Tom &amp; Ann</h1>\n  <p class="lead">Prices from 3&nbsp;&euro;</p>\n  <footer>\n    <a href="/?a=1&amp;b=2">Next</a>\n  </footer>\n</body>\n',
    old: '  <p class="lead">Prices from 3&nbsp;&euro;</p>\n  <footer>',
    now: '  <p class="lead">Prices from 4&nbsp;&euro;</p>\n  <footer id="end">',
  },
  {
    path: "site.css",
    text: "a {\r\n  color: red;\r\n  margin: 0 auto;\r\n}\r\n\r\nb {\r\n  color: blue;\r\n}\r\n",
    old: "  color: red;\n  margin: 0 auto;\n",
    now: "  color: green;\n  margin: 0 auto;\n",
  },
  {
    path: "Makefile",
    text: "all: build\n\nbuild:\n\tmkdir -p out\n\tcc -o out/app main.c   \n\nclean:\n\trm -rf out\n",
    old: "build:\n\tmkdir -p out\n\tcc -o out/app main.c   \n",
    now: "build:\n\tmkdir -p out\n\tcc -O2 -o out/app main.c   \n",
  },
  {
    path: "query.sql",
    text: "select id,\n       name\nfrom users\nwhere age > 17\n  and active = 1\norder by name;\n",
    old: "where age > 17\n  and active = 1",
    now: "where age > 20\n  and active = 1",
  },
  {
    path: "lib/path.rs",
    text: "fn join(a: &str, b: &str) -> String {\n    let mut out = String::from(a);\n    if !a.ends_with('/') {\n        out.push('/');\n    }\n    out.push_str(b);\n    out\n}\n",
    old: "    if !a.ends_with('/') {\n        out.push('/');\n    }\n    out.push_str(b);",
    now: "    if !a.is_empty() && !a.ends_with('/') {\n        out.push('/');\n    }\n    out.push_str(b);",
  },
  {
    path: "config.yaml",
    text: "server:\n  host: 0.0.0.0\n  port: 80\n\nlog:\n  level: info\n  files:\n    - app.log\n    - error.log\n",
    old: "log:\n  level: info\n  files:\n    - app.log",
    now: "log:\n  level: debug\n  files:\n    - app.log",
  },
  {
    path: "greet.js",
    text: 'function greet(name) {\n  const text = "Hello,\\n" + name + "!";\n  console.log(text);\n  return text.length;\n}\n',
    old: '  const text = "Hello,\\n" + name + "!";\n  console.log(text);',
    now: '  const text = "Hi,\\n" + name + "!";\n  console.log(text);',
  },
];

type Distortion = (text: string, edit: Edit) => string;

const numbered =
  (format: (line: number) => string): Distortion =>
  (text, { text: file, old }) => {
    const first =
      file
        .replaceAll("\r", "")
        .split(old.split("\n")[0] as string)[0]
        ?.split("\n").length ?? 1;
    const lines = text.replace(/\n$/u, "").split("\n");
    return lines.map((line, at) => format(first + at) + line).join("\n");
  };

/** What models do to a text that they copy. Done to the old text and to the new one. */
const distortions: Readonly<Record<string, Distortion>> = {
  "as it should be": (text) => text,
  "trailing space lost": (text) => text.replaceAll(/[ \t]+$/gmu, ""),
  "plain signs for others": (text) =>
    text
      .replaceAll(/[\u201c\u201d]/gu, '"')
      .replaceAll("\u2019", "'")
      .replaceAll("\u2014", "-"),
  "curly quotes for plain ones": (text) => text.replaceAll('"', "\u201d").replaceAll("'", "\u2019"),
  "all lines shifted": (text) => text.replaceAll(/^(?=.)/gmu, "  "),
  "indentation lost": (text) => {
    const depth = Math.min(
      ...[...text.matchAll(/^[ \t]*(?=\S)/gmu)].map(([space]) => space.length),
    );
    return text.replaceAll(new RegExp(`^[ \\t]{${depth}}`, "gmu"), "");
  },
  "spaces for tabs": (text) => text.replaceAll("\t", "    "),
  "escaped once too often": (text) => JSON.stringify(text).slice(1, -1),
  "blank lines around": (text) => `\n${text}\n\n`,
  "line numbers of read": numbered((line) => `${line}: `),
  "line numbers of cat -n": numbered((line) => `${String(line).padStart(6)}\t`),
  "line numbers with bars": numbered((line) => `${line} | `),
  "a code fence around": (text) => `\`\`\`\n${text.replace(/\n$/u, "")}\n\`\`\``,
  "carriage returns": (text) => text.replaceAll("\n", "\r\n"),
};

const kindOf = (name: string): string => {
  if (name === "as it should be") return "edits, copied exactly";
  return name.startsWith("line numbers") ? "line numbers left in" : "edits, copied inexactly";
};

/** Faults in the old text alone, or in what both keep: the text is not quite there. */
const faults: Readonly<Record<string, (text: string) => string>> = {
  "one space more": (text) => text.replace(/(?<=\S) (?=\S)/u, "  "),
  "spaces in brackets": (text) => text.replaceAll(/\((?=[^\s)])/gu, "( "),
  "a space before a sign": (text) => text.replace(/(?<=\w)([;:,{])/u, " $1"),
  "a blank line more": (text) => text.replace("\n", "\n\n"),
  "a word of another case": (text) => text.replace(/[a-z]{4,}/u, (word) => word.toUpperCase()),
  "a letter lost": (text) => text.replace(/(?<=[a-z]{2})[a-z](?=[a-z])/u, ""),
};

/** Every edit with every distortion that changes it. */
export const editCases: readonly CallCase[] = edits.flatMap((edit) => {
  const { path, text, old, now } = edit;
  const inFile = (part: string): string =>
    text.includes("\r\n") ? part.replaceAll("\n", "\r\n") : part;
  const changes = { [path]: text.replace(inFile(old), () => inFile(now)) };
  const toCase = (kind: string, oldText: string, newText: string): CallCase => ({
    kind,
    files: { [path]: text },
    name: "edit",
    args: { path, old_string: oldText, new_string: newText },
    changes,
  });
  return [
    ...Object.entries(distortions)
      .filter(([name, distort]) => name === "as it should be" || distort(old, edit) !== old)
      .map(([name, distort]) => toCase(kindOf(name), distort(old, edit), distort(now, edit))),
    ...Object.values(faults)
      .filter((spoil) => spoil(old) !== old)
      .map((spoil) => toCase("text that is not quite there", spoil(old), spoil(now))),
  ];
});
