import type { CheckKind } from "../check-kind.ts";

/** The default check of a project in some language. */
export interface Convention {
  readonly language: string;
  readonly kind: CheckKind;
  /** One of these must exist; a name with a trailing slash is a directory. */
  readonly files: readonly (string | RegExp)[];
  /** A program, which must be installed, and its arguments. */
  readonly command: string;
  /** A pattern that the file must match. */
  readonly says?: RegExp;
  /** One of these must exist, too. */
  readonly beside?: readonly string[];
  /** Another program that must be installed. */
  readonly needs?: string;
}

type Row = readonly [
  kind: CheckKind,
  file: string | RegExp | readonly string[],
  command: string,
  more?: Pick<Convention, "says" | "beside" | "needs">,
];

const modules = "(?:[cm]?[jt]s|json)";
const dotnetProject = /\.(?:sln|slnx|csproj|fsproj|vbproj)$/u;
const onlyRefers = /"files"\s*:\s*\[\s*\].*"references"|"references".*"files"\s*:\s*\[\s*\]/su;

const rows: Readonly<Record<string, readonly Row[]>> = {
  JavaScript: [
    ["types", "tsconfig.json", "tsc -b --noEmit", { says: onlyRefers }],
    ["types", "tsconfig.json", "tsc --noEmit -p ."],
    ["lint", /^\.?biome\.jsonc?$/u, "biome check ."],
    ["lint", new RegExp(`^eslint\\.config\\.${modules}$`, "u"), "eslint ."],
    ["lint", /^\.eslintrc(?:\.\w+)?$/u, "eslint ."],
    ["lint", /^\.?oxlintrc\.json$/u, "oxlint"],
    ["test", new RegExp(`^vitest\\.(?:config|workspace)\\.${modules}$`, "u"), "vitest run"],
    ["test", new RegExp(`^jest\\.config\\.${modules}$`, "u"), "jest --ci"],
    ["test", /^\.mocharc\.\w+$/u, "mocha"],
  ],
  Deno: [
    ["types", /^deno\.jsonc?$/u, "deno check ."],
    ["lint", /^deno\.jsonc?$/u, "deno lint"],
    ["test", /^deno\.jsonc?$/u, "deno test"],
  ],
  Rust: [
    ["types", "Cargo.toml", "cargo check --all-targets"],
    ["lint", "Cargo.toml", "cargo clippy --all-targets", { needs: "cargo-clippy" }],
    ["test", "Cargo.toml", "cargo test"],
  ],
  Go: [
    ["types", "go.mod", "go vet ./..."],
    ["lint", /^\.golangci\.(?:ya?ml|toml|json)$/u, "golangci-lint run"],
    ["test", "go.mod", "go test ./..."],
  ],
  Python: [
    ["types", ["mypy.ini", ".mypy.ini"], "mypy ."],
    ["types", "pyproject.toml", "mypy .", { says: /^\[tool\.mypy/mu }],
    ["types", ["setup.cfg", "tox.ini"], "mypy .", { says: /^\[mypy/mu }],
    ["types", "pyrightconfig.json", "pyright"],
    ["types", "pyproject.toml", "pyright", { says: /^\[tool\.(?:based)?pyright/mu }],
    ["lint", ["ruff.toml", ".ruff.toml"], "ruff check ."],
    ["lint", "pyproject.toml", "ruff check .", { says: /^\[tool\.ruff/mu }],
    ["lint", ".flake8", "flake8"],
    ["lint", ["setup.cfg", "tox.ini"], "flake8", { says: /^\[flake8\]/mu }],
    ["lint", [".pylintrc", "pylintrc"], "pylint --recursive=y ."],
    ["lint", "pyproject.toml", "pylint --recursive=y .", { says: /^\[tool\.pylint/mu }],
    ["test", ["pytest.ini", ".pytest.ini", "conftest.py"], "pytest"],
    ["test", "pyproject.toml", "pytest", { says: /^\[tool\.pytest/mu }],
    ["test", "setup.cfg", "pytest", { says: /^\[tool:pytest\]/mu }],
    ["test", "tox.ini", "pytest", { says: /^\[pytest\]/mu }],
    [
      "test",
      ["tests/", "test/"],
      "pytest",
      { beside: ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"] },
    ],
  ],
  PHP: [
    [
      "types",
      /^phpstan(?:\.dist)?\.neon(?:\.dist)?$/u,
      "phpstan analyse --no-progress --error-format=raw",
    ],
    ["types", /^psalm\.xml(?:\.dist)?$/u, "psalm --no-progress"],
    ["test", /^phpunit\.xml(?:\.dist)?$/u, "phpunit"],
  ],
  Ruby: [
    ["lint", ".rubocop.yml", "rubocop --format emacs"],
    ["test", ".rspec", "rspec"],
  ],
  Elixir: [
    ["types", "mix.exs", "mix compile"],
    ["lint", ".formatter.exs", "mix format --check-formatted"],
    ["test", "mix.exs", "mix test"],
  ],
  JVM: [
    ["types", "gradlew", "./gradlew --console=plain classes testClasses"],
    ["types", /^build\.gradle(?:\.kts)?$/u, "gradle --console=plain classes testClasses"],
    ["types", "mvnw", "./mvnw -B -q test-compile"],
    ["types", "pom.xml", "mvn -B -q test-compile"],
    ["test", "gradlew", "./gradlew --console=plain test"],
    ["test", /^build\.gradle(?:\.kts)?$/u, "gradle --console=plain test"],
    ["test", "mvnw", "./mvnw -B -q test"],
    ["test", "pom.xml", "mvn -B -q test"],
  ],
  ".NET": [
    ["types", dotnetProject, "dotnet build --nologo"],
    ["test", dotnetProject, "dotnet test --nologo"],
  ],
  Swift: [
    ["types", "Package.swift", "swift build"],
    ["test", "Package.swift", "swift test"],
  ],
  Dart: [
    ["types", "pubspec.yaml", "dart analyze"],
    ["test", "pubspec.yaml", "dart test"],
  ],
  Zig: [["test", "build.zig", "zig build test"]],
};

const sources: Readonly<Record<string, readonly string[]>> = {
  JavaScript: ["js", "cjs", "mjs", "jsx", "ts", "cts", "mts", "tsx"],
  Go: ["go"],
  Python: ["py", "pyi"],
  Ruby: ["rb"],
};

/** Returns the extensions of a language's source files. */
export function sourcesOf(language: string): readonly string[] {
  return sources[language] ?? [];
}

/** All conventions. Per language and kind, the first one that can run is used. */
export const conventions: readonly Convention[] = Object.entries(rows).flatMap(([language, ways]) =>
  ways.map(([kind, file, command, more]) => ({
    language,
    kind,
    files: typeof file === "string" || file instanceof RegExp ? [file] : file,
    command,
    ...more,
  })),
);
