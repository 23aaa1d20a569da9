import { spawnSync } from "node:child_process";
import type { TextMatch, TextQuery } from "@haft/contract";
import { rgPath } from "@vscode/ripgrep";
import { isSecretPath } from "../paths/secret-path.ts";
import { clipLine } from "../search/clip-line.ts";
import { requireGit } from "./ask-ripgrep.ts";

/** All that ripgrep itself finds below a directory, in the order of paths. */
export function grepWithRipgrep(query: TextQuery): readonly TextMatch[] {
  const { pattern, literal, caseSensitive, context = 0, limitPerFile } = query;
  const { stdout, stderr, status } = spawnSync(
    rgPath,
    [
      ...[
        "--no-config",
        ...requireGit(query.path),
        "--json",
        "--no-messages",
        `--context=${context}`,
      ],
      ...(literal ? ["--fixed-strings"] : []),
      ...(caseSensitive ? [] : ["--ignore-case"]),
      ...(limitPerFile === undefined ? [] : [`--max-count=${limitPerFile}`]),
      `--regexp=${pattern}`,
      "./",
    ],
    { cwd: query.path, encoding: "utf8", maxBuffer: 2 ** 30 },
  );
  if (status === 2 && stdout === "") throw new Error(stderr);
  return stdout
    .split("\n")
    .filter((row) => row !== "")
    .map((row) => JSON.parse(row))
    .filter(({ type }) => type === "match" || type === "context")
    .map(({ type, data }) => toMatch(type, data, query))
    .filter(({ path }) => !isSecretPath(path))
    .sort((a, b) => comparePaths(a.path, b.path));
}

interface RipgrepText {
  readonly text?: string;
  readonly bytes?: string;
}

function toMatch(
  type: string,
  data: { path: RipgrepText; lines: RipgrepText; line_number: number },
  query: TextQuery,
): TextMatch {
  const line = toText(data.lines).replace(/\n$/u, "");
  return {
    path: `${query.path}/${toText(data.path).replace(/^\.\//u, "")}`,
    line: data.line_number,
    ...clipLine(line, query.lineLength),
    ...(type === "context" && { context: true as const }),
  };
}

function toText({ text, bytes = "" }: RipgrepText): string {
  return text ?? Buffer.from(bytes, "base64").toString("utf8");
}

function comparePaths(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
