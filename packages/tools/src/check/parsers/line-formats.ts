import type { ParsedProblem, ProblemParser } from "../problem.ts";
import { toProblem } from "./to-problem.ts";

/** Problems in one line each, in the formats of many compilers and linters. */
export const lineFormats: ProblemParser = (lines) =>
  lines.flatMap((line, at): ParsedProblem[] => {
    for (const { pattern } of formats) {
      const parts = pattern.exec(line)?.groups;
      if (parts === undefined) continue;
      // A note belongs to the message before it, unless it is a rule's own.
      if (parts.severity === "note" && parts.code === undefined) return [];
      const problem = toProblem({ ...parts, code: parts.code ?? parts.tag });
      return [{ problem, from: at, to: at }];
    }
    return [];
  });

interface LineFormat {
  readonly of: string;
  readonly pattern: RegExp;
}

const file = String.raw`(?<file>(?:[A-Za-z]:[\\/])?[^\s:()"'][^:()"']*?)`;
const place = String.raw`:(?<line>\d+):(?<column>\d+)`;

const formats: readonly LineFormat[] = [
  {
    of: "tsc, vue-tsc, msbuild, dotnet",
    pattern: build(
      String.raw`^(?<file>[^\s(][^(]*?)\((?<line>\d+)(?:,(?<column>\d+))?(?:,\d+,\d+)?\): `,
      String.raw`(?<severity>error|warning|info) (?<code>[A-Za-z]+\d+): (?<message>.*?)(?: \[[^\]]*proj\])?$`,
    ),
  },
  {
    of: "tsc in colour",
    pattern: build(
      `^${file}${place} - (?<severity>error|warning) (?<code>TS\\d+): (?<message>.*)$`,
    ),
  },
  {
    of: "tsc, for a whole project",
    pattern: /^(?<severity>error) (?<code>TS\d+): (?<message>.*)$/u,
  },
  {
    of: "pyright, basedpyright",
    pattern: build(
      String.raw`^\s*${file}${place} - (?<severity>error|warning|information): `,
      String.raw`(?<message>.*?)(?: \((?<code>report\w+)\))?$`,
    ),
  },
  {
    of: "pylint",
    pattern: build(
      String.raw`^${file}${place}: (?<code>(?<severity>[EFWCRI])\d{4}): (?<message>.*?)(?: \([a-z-]+\))?$`,
    ),
  },
  {
    of: "ruff, flake8, pycodestyle",
    pattern: build(
      String.raw`^${file}${place}: (?<code>[A-Z]{1,5}\d{1,5})(?: \[\*\])? (?<message>.*)$`,
    ),
  },
  {
    of: "eslint --format unix",
    pattern: build(
      String.raw`^${file}${place}: (?<message>.*) \[(?<severity>Error|Warning)(?:\/(?<code>[^\]]+))?\]$`,
    ),
  },
  {
    of: "eslint --format compact",
    pattern:
      /^(?<file>[^:]+): line (?<line>\d+), col (?<column>\d+), (?<severity>Error|Warning) - (?<message>.*?)(?: \((?<code>[^()]+)\))?$/u,
  },
  {
    of: "rubocop",
    pattern: build(
      String.raw`^${file}${place}: (?<severity>[CWEFRI]): (?:\[Correctable\] )?(?<code>[A-Z]\w+\/\w+): (?<message>.*)$`,
    ),
  },
  {
    of: "shellcheck --format gcc",
    pattern: build(
      String.raw`^${file}${place}: (?<severity>error|warning|note): (?<message>.*) \[(?<code>SC\d+)\]$`,
    ),
  },
  {
    of: "gcc, clang, mypy, rustc in short, swift, javac",
    pattern: build(
      String.raw`^${file}:(?<line>\d+)(?::(?<column>\d+))?: (?<severity>fatal error|error|warning|note)(?:\[(?<code>\w+)\])?: `,
      String.raw`(?<message>.*?)(?:\s+\[(?<tag>-W[^\]]+|[a-z][a-z-]*)\])?$`,
    ),
  },
  {
    of: "maven",
    pattern:
      /^\[(?<severity>ERROR|WARNING)\] (?<file>\/[^:]+):\[(?<line>\d+),(?<column>\d+)\] (?<message>.*)$/u,
  },
  {
    of: "kotlinc",
    pattern:
      /^(?<severity>[ew]): (?:file:\/\/)?(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+):? (?<message>.*)$/u,
  },
  {
    of: "dart",
    pattern:
      /^\s*(?<severity>error|warning|info) [•-] (?<file>\S+):(?<line>\d+):(?<column>\d+) [•-] (?<message>.*) [•-] (?<code>\w+)$/u,
  },
  {
    of: "flutter",
    pattern:
      /^\s*(?<severity>error|warning|info) • (?<message>.*) • (?<file>\S+):(?<line>\d+):(?<column>\d+) • (?<code>\w+)$/u,
  },
  {
    of: "php",
    pattern:
      /^(?:PHP )?(?<severity>Parse error|Fatal error|Warning): +(?<message>.*) in (?<file>\S+) on line (?<line>\d+)$/u,
  },
  {
    of: "elixir",
    pattern:
      /^\*\* \((?<code>\w+Error)\) (?<file>\S+\.exs?):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.*)$/u,
  },
  {
    of: "go build, go vet",
    pattern: /^(?:vet: )?(?<file>[^\s:][^:]*\.go):(?<line>\d+):(?<column>\d+): (?<message>.*)$/u,
  },
];

function build(...parts: readonly string[]): RegExp {
  return new RegExp(parts.join(""), "u");
}

/** Lines of any program that begin with a source file and a line number. */
export const anyLine: ProblemParser = (lines) =>
  lines.flatMap((line, at): ParsedProblem[] => {
    const parts = sourceLine.exec(line)?.groups;
    return parts === undefined ? [] : [{ problem: toProblem(parts), from: at, to: at }];
  });

// A host with a port looks alike, so the extension must be one of source files.
const sourceExtensions = [
  "c cc cjs clj cpp cs css cts cxx dart elm erl ex exs fs go gradle h hpp hs html java jl js json",
  "jsx kt kts less lua m md mdx mjs ml mli mm mts nix php pl pm proto py pyi r rb rs sbt scala scss",
  "sh sol sql svelte swift tf toml ts tsx vb vue xml yaml yml zig",
]
  .join(" ")
  .replaceAll(" ", "|");

const sourceLine = new RegExp(
  String.raw`^(?<file>[^\s:()"'][^:()"']*\.(?:${sourceExtensions})):(?<line>\d+)(?::(?<column>\d+))?:? +(?!note:)(?<message>\S.*)$`,
  "u",
);
