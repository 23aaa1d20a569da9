import type { Language } from "./language.ts";

const stdio: readonly string[] = ["--stdio"];

/** The languages with known servers. For TypeScript see also `find-typescript.ts`. */
export const languageTable: readonly Language[] = [
  {
    name: "TypeScript and JavaScript",
    files: {
      ".ts": "typescript",
      ".mts": "typescript",
      ".cts": "typescript",
      ".tsx": "typescriptreact",
      ".js": "javascript",
      ".mjs": "javascript",
      ".cjs": "javascript",
      ".jsx": "javascriptreact",
    },
    markers: [["tsconfig.json", "jsconfig.json", "package.json"]],
    servers: [
      { program: "typescript-language-server", args: stdio },
      { program: "tsc", args: ["--lsp", "--stdio"] },
      { program: "tsgo", args: ["--lsp", "--stdio"] },
    ],
    install: "npm install --save-dev typescript typescript-language-server",
  },
  {
    name: "Python",
    files: { ".py": "python", ".pyi": "python" },
    markers: [
      ["pyproject.toml", "pyrightconfig.json", "setup.py", "setup.cfg", "requirements.txt"],
    ],
    servers: [
      { program: "pyright-langserver", args: stdio },
      { program: "basedpyright-langserver", args: stdio },
      { program: "pylsp", args: [] },
    ],
    install: "npm install --save-dev pyright",
  },
  {
    name: "Go",
    files: { ".go": "go", "go.mod": "go.mod", "go.work": "go.work" },
    markers: [["go.work"], ["go.mod"]],
    servers: [
      { program: "gopls", args: [], environment: { GOPROXY: "off", GOTOOLCHAIN: "local" } },
    ],
    install: "go install golang.org/x/tools/gopls@latest",
  },
  {
    name: "Rust",
    files: { ".rs": "rust" },
    markers: [["Cargo.lock"], ["Cargo.toml"]],
    servers: [
      {
        program: "rust-analyzer",
        args: [],
        // It can't write to the project, and must not run build scripts.
        options: {
          checkOnSave: false,
          cargo: { buildScripts: { enable: false } },
          procMacro: { enable: false },
        },
        environment: { CARGO_NET_OFFLINE: "true" },
      },
    ],
    install: "rustup component add rust-analyzer",
  },
  {
    name: "C and C++",
    files: {
      ".c": "c",
      ".h": "c",
      ".cc": "cpp",
      ".cpp": "cpp",
      ".cxx": "cpp",
      ".hh": "cpp",
      ".hpp": "cpp",
      ".hxx": "cpp",
      ".m": "objective-c",
      ".mm": "objective-cpp",
    },
    markers: [
      ["compile_commands.json", "compile_flags.txt", ".clangd"],
      ["CMakeLists.txt", "Makefile", "meson.build"],
    ],
    servers: [{ program: "clangd", args: [] }],
    index: "compile_commands.json",
    install: "the package clangd of your system",
  },
  {
    name: "JSON",
    isData: true,
    files: { ".json": "json", ".jsonc": "jsonc" },
    markers: [["package.json"]],
    servers: [{ program: "vscode-json-language-server", args: stdio }],
    install: "npm install --save-dev vscode-langservers-extracted",
  },
  {
    name: "HTML",
    isData: true,
    files: { ".html": "html", ".htm": "html" },
    markers: [["package.json"]],
    servers: [{ program: "vscode-html-language-server", args: stdio }],
    install: "npm install --save-dev vscode-langservers-extracted",
  },
  {
    name: "CSS",
    isData: true,
    files: { ".css": "css", ".scss": "scss", ".less": "less" },
    markers: [["package.json"]],
    servers: [{ program: "vscode-css-language-server", args: stdio }],
    install: "npm install --save-dev vscode-langservers-extracted",
  },
  {
    name: "YAML",
    isData: true,
    files: { ".yaml": "yaml", ".yml": "yaml" },
    markers: [],
    servers: [{ program: "yaml-language-server", args: stdio }],
    install: "npm install --save-dev yaml-language-server",
  },
  {
    name: "shell scripts",
    files: { ".sh": "shellscript", ".bash": "shellscript" },
    markers: [],
    servers: [{ program: "bash-language-server", args: ["start"] }],
    install: "npm install --save-dev bash-language-server",
  },
  {
    name: "Ruby",
    files: { ".rb": "ruby", ".rake": "ruby", Gemfile: "ruby", Rakefile: "ruby" },
    markers: [["Gemfile", ".ruby-version"]],
    servers: [
      { program: "ruby-lsp", args: [] },
      { program: "solargraph", args: ["stdio"] },
    ],
    install: "gem install ruby-lsp",
  },
  {
    name: "Lua",
    files: { ".lua": "lua" },
    markers: [[".luarc.json", ".luarc.jsonc"]],
    servers: [{ program: "lua-language-server", args: [] }],
    install: "the package lua-language-server of your system",
  },
  {
    name: "Java",
    files: { ".java": "java" },
    markers: [
      ["settings.gradle", "settings.gradle.kts"],
      ["pom.xml", "build.gradle", "build.gradle.kts"],
    ],
    servers: [{ program: "jdtls", args: [] }],
    install: "the package jdtls of your system",
  },
  {
    name: "PHP",
    files: { ".php": "php" },
    markers: [["composer.json"]],
    servers: [
      { program: "intelephense", args: stdio },
      { program: "phpactor", args: ["language-server"] },
    ],
    install: "npm install --save-dev intelephense",
  },
  {
    name: "Zig",
    files: { ".zig": "zig" },
    markers: [["build.zig"]],
    servers: [{ program: "zls", args: [] }],
    install: "the package zls of your system",
  },
  {
    name: "Dart",
    files: { ".dart": "dart" },
    markers: [["pubspec.yaml"]],
    servers: [{ program: "dart", args: ["language-server", "--protocol=lsp"] }],
    install: "the Dart SDK",
  },
  {
    name: "Elixir",
    files: { ".ex": "elixir", ".exs": "elixir" },
    markers: [["mix.exs"]],
    servers: [
      { program: "elixir-ls", args: [] },
      { program: "language_server.sh", args: [] },
      { program: "lexical", args: [] },
    ],
    install: "the package elixir-ls of your system",
  },
  {
    name: "Haskell",
    files: { ".hs": "haskell", ".lhs": "literate haskell" },
    markers: [["stack.yaml", "cabal.project", "hie.yaml", "package.yaml"]],
    servers: [{ program: "haskell-language-server-wrapper", args: ["--lsp"] }],
    install: "ghcup install hls",
  },
  {
    name: "C#",
    files: { ".cs": "csharp" },
    markers: [["global.json", "Directory.Build.props"]],
    servers: [
      { program: "csharp-ls", args: [] },
      { program: "OmniSharp", args: ["--languageserver"] },
      { program: "omnisharp", args: ["--languageserver"] },
    ],
    install: "dotnet tool install --global csharp-ls",
  },
  {
    name: "Vue",
    files: { ".vue": "vue" },
    markers: [["package.json"]],
    servers: [{ program: "vue-language-server", args: stdio }],
    install: "npm install --save-dev @vue/language-server",
  },
  {
    name: "Svelte",
    files: { ".svelte": "svelte" },
    markers: [["package.json"]],
    servers: [{ program: "svelteserver", args: stdio }],
    install: "npm install --save-dev svelte-language-server",
  },
];
