/** A file to format. */
export interface FormatTarget {
  /** Relative to the directory of the configuration, where the formatter runs. */
  readonly path: string;
  readonly extension: string;
  /** The text of the configuration file. */
  readonly configuration: string;
}

/** A file whose presence or text shows that a project uses a formatter. */
export interface Configuration {
  readonly file: string;
  fits?(text: string): boolean;
}

/** A program that formats its standard input and prints the result. */
export interface Formatter {
  /** The program's name. */
  readonly name: string;
  readonly extensions: readonly string[];
  readonly configurations: readonly Configuration[];
  /** The arguments to format standard input. */
  args(target: FormatTarget): readonly string[];
}

const scripts = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];
const moduleKinds = ["js", "cjs", "mjs", "ts", "cts", "mts"];

/** All known formatters. If a directory configures several, the first one is used. */
export const formatters: readonly Formatter[] = [
  {
    name: "biome",
    extensions: [...scripts, "json", "jsonc", "css", "graphql", "gql"],
    configurations: named("biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"),
    args: ({ path }) => ["format", `--stdin-file-path=${path}`],
  },
  {
    name: "dprint",
    extensions: [...scripts, "json", "jsonc", "md", "toml", "css", "scss", "html", "yaml", "yml"],
    configurations: named("dprint.json", "dprint.jsonc", ".dprint.json", ".dprint.jsonc"),
    args: ({ path }) => ["fmt", "--stdin", path],
  },
  {
    name: "prettier",
    extensions: [
      ...scripts,
      ...["json", "json5", "jsonc", "css", "scss", "less", "html", "vue", "svelte", "astro"],
      ...["md", "mdx", "yaml", "yml", "graphql", "gql", "hbs"],
    ],
    configurations: [
      ...named(".prettierrc"),
      ...["json", "json5", "yaml", "yml", "toml", ...moduleKinds].map((kind) => ({
        file: `.prettierrc.${kind}`,
      })),
      ...moduleKinds.map((kind) => ({ file: `prettier.config.${kind}` })),
      { file: "package.json", fits: usesPrettier },
    ],
    args: ({ path }) => ["--stdin-filepath", path],
  },
  {
    name: "deno",
    extensions: [...scripts, "json", "jsonc", "md", "css", "scss", "html", "yaml", "yml"],
    configurations: named("deno.json", "deno.jsonc"),
    args: ({ extension }) => ["fmt", "--ext", extension, "-"],
  },
  {
    name: "black",
    extensions: ["py", "pyi"],
    configurations: [hasTable("pyproject.toml", "tool.black")],
    args: ({ path }) => ["--quiet", "--stdin-filename", path, "-"],
  },
  {
    name: "ruff",
    extensions: ["py", "pyi"],
    configurations: [...named("ruff.toml", ".ruff.toml"), hasTable("pyproject.toml", "tool.ruff")],
    args: ({ path }) => ["format", "--stdin-filename", path, "-"],
  },
  {
    name: "rustfmt",
    extensions: ["rs"],
    configurations: named("Cargo.toml", "rustfmt.toml", ".rustfmt.toml"),
    args: ({ configuration }) => ["--edition", findEdition(configuration), "--emit", "stdout"],
  },
  {
    name: "gofmt",
    extensions: ["go"],
    configurations: named("go.mod"),
    args: () => [],
  },
  {
    name: "clang-format",
    extensions: ["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm", "java", "proto"],
    configurations: named(".clang-format", "_clang-format"),
    args: ({ path }) => [`--assume-filename=${path}`],
  },
  {
    name: "shfmt",
    extensions: ["sh", "bash"],
    configurations: named(".editorconfig"),
    args: ({ path }) => ["--filename", path, "-"],
  },
  {
    name: "stylua",
    extensions: ["lua", "luau"],
    configurations: named("stylua.toml", ".stylua.toml"),
    args: ({ path }) => ["--stdin-filepath", path, "-"],
  },
  {
    name: "zig",
    extensions: ["zig", "zon"],
    configurations: named("build.zig"),
    args: () => ["fmt", "--stdin"],
  },
  {
    name: "terraform",
    extensions: ["tf", "tfvars"],
    configurations: named(".terraform.lock.hcl", "main.tf", "versions.tf"),
    args: () => ["fmt", "-"],
  },
  {
    name: "taplo",
    extensions: ["toml"],
    configurations: named("taplo.toml", ".taplo.toml"),
    args: ({ path }) => ["format", "--stdin-filepath", path, "-"],
  },
  {
    name: "mix",
    extensions: ["ex", "exs"],
    configurations: named(".formatter.exs"),
    args: ({ path }) => ["format", "--stdin-filename", path, "-"],
  },
  {
    name: "ocamlformat",
    extensions: ["ml", "mli"],
    configurations: named(".ocamlformat"),
    args: ({ path }) => ["--name", path, "-"],
  },
];

function named(...files: readonly string[]): Configuration[] {
  return files.map((file) => ({ file }));
}

function hasTable(file: string, table: string): Configuration {
  const header = new RegExp(`^\\s*\\[${table.replaceAll(".", "\\.")}(?:\\.|\\])`, "mu");
  return { file, fits: (text) => header.test(text) };
}

function usesPrettier(text: string): boolean {
  try {
    const manifest = JSON.parse(text) as Record<string, Record<string, unknown> | undefined>;
    const { dependencies, devDependencies } = manifest;
    return [manifest, dependencies, devDependencies].some((part) => part?.prettier !== undefined);
  } catch {
    return false;
  }
}

// A package may inherit its edition from the workspace, where 2021 is the most common.
function findEdition(configuration: string): string {
  return /^\s*edition\s*=\s*"(\d{4})"/mu.exec(configuration)?.[1] ?? "2021";
}
