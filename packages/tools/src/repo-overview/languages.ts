/** A language of a project, with its files and bytes. */
export interface LanguageShare {
  name: string;
  files: number;
  bytes?: number;
}

/** A file, and its size if known. */
export interface SizedFile {
  readonly path: string;
  readonly size: number | undefined;
}

/** Counts files per language by extension, most files first. */
export function countLanguages(files: readonly SizedFile[]): LanguageShare[] {
  const shares = new Map<string, LanguageShare>();
  for (const { path, size } of files) {
    const name = languageOf(path);
    if (name === undefined) continue;
    const share = shares.get(name) ?? { name, files: 0 };
    shares.set(name, share);
    share.files++;
    if (size !== undefined) share.bytes = (share.bytes ?? 0) + size;
  }
  return [...shares.values()].sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
}

function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return languages.get(dot > 0 ? name.slice(dot + 1).toLowerCase() : name);
}

const extensions: Readonly<Record<string, string>> = {
  Assembly: "asm s",
  Astro: "astro",
  Batch: "bat cmd",
  C: "c h",
  "C#": "cs csx",
  "C++": "cc cpp cxx hh hpp hxx ipp",
  Clojure: "clj cljs cljc edn",
  CMake: "cmake CMakeLists.txt",
  CSS: "css scss sass less styl",
  CSV: "csv tsv",
  Cuda: "cu cuh",
  Dart: "dart",
  Dockerfile: "dockerfile Dockerfile Containerfile",
  Elixir: "ex exs",
  Elm: "elm",
  Erlang: "erl hrl",
  "F#": "fs fsi fsx",
  Fortran: "f f90 f95",
  Go: "go",
  GraphQL: "graphql gql",
  Groovy: "groovy gradle",
  Haskell: "hs lhs",
  HCL: "tf tfvars hcl",
  HTML: "html htm xhtml",
  Java: "java",
  JavaScript: "js mjs cjs jsx",
  JSON: "json jsonc json5 ndjson jsonl",
  Julia: "jl",
  Kotlin: "kt kts",
  Lua: "lua luau",
  Makefile: "mk Makefile GNUmakefile makefile",
  Markdown: "md mdx markdown",
  Nix: "nix",
  "Objective-C": "m mm",
  OCaml: "ml mli",
  Perl: "pl pm",
  PHP: "php phtml",
  PowerShell: "ps1 psm1",
  Protobuf: "proto",
  Python: "py pyi pyx ipynb",
  R: "r rmd",
  reStructuredText: "rst",
  Ruby: "rb rake gemspec erb Gemfile Rakefile",
  Rust: "rs",
  Scala: "scala sbt sc",
  Shell: "sh bash zsh fish ksh",
  Solidity: "sol",
  SQL: "sql",
  Svelte: "svelte",
  Swift: "swift",
  Text: "txt text",
  TOML: "toml",
  TypeScript: "ts mts cts tsx",
  Vue: "vue",
  XML: "xml xsd xsl xslt plist svg",
  YAML: "yaml yml",
  Zig: "zig zon",
};

const languages: ReadonlyMap<string, string> = new Map(
  Object.entries(extensions).flatMap(([name, list]) =>
    list.split(" ").map((extension) => [extension, name] as const),
  ),
);
