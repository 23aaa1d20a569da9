import { type FileSystem, ToolError } from "@haft/contract";
import { findLanguage } from "../find/find-language.ts";
import type { LspOperation } from "../lsp-arguments.ts";

const maxInspected = 2_000;

/** Returns the file whose server is used: the path itself, or for a directory a file of its most frequent language. */
export async function chooseFile(
  path: string,
  operation: LspOperation,
  fs: FileSystem,
): Promise<string> {
  if (operation !== "workspace_symbols") return path;
  const { kind } = await fs.stat(path);
  if (kind !== "directory") return path;
  const { files } = await fs.findFiles({ directory: path, pattern: "**", limit: maxInspected });
  const byLanguage = Map.groupBy(files, (file) => findLanguage(file)?.language);
  const [chosen] = [...byLanguage]
    .filter(([language]) => language !== undefined)
    .sort(
      ([a, left], [b, right]) =>
        Number(a?.isData ?? false) - Number(b?.isData ?? false) || right.length - left.length,
    );
  const first = chosen?.[1][0];
  if (first !== undefined) return first;
  throw new ToolError(
    "unavailable",
    `${path} contains no file of a language with a known server. Specify a file.`,
  );
}
