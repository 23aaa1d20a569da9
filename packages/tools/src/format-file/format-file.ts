import { defineTool, type ProgramResult, type Runtime, type Tool, ToolError } from "@haft/contract";
import { clipText, isSameBytes, joinBytes } from "@haft/contract/internal";
import { nameInWorkspace } from "../paths/name-in-workspace.ts";
import { requireInside } from "../paths/require-inside.ts";
import { describeChange } from "../text/describe-change.ts";
import { type FoundFormatter, findFormatter } from "./find-formatter.ts";
import { formatters } from "./formatters.ts";

/** The arguments of `format_file`. */
export interface FormatFileArguments {
  path: string;
}

/** The result of `format_file`. */
export interface FormatFileData {
  path: string;
  formatter: string;
  changed: boolean;
  message: string;
  diff?: string;
}

/**
 * The `format_file` tool: formats a file with the formatter that its project configures.
 *
 * @example
 * ```ts
 * import { edit, formatFile } from "@haft/tools";
 *
 * const tools = [edit, formatFile];
 * ```
 */
export const formatFile: Tool<FormatFileArguments, FormatFileData> = defineTool({
  id: "format_file",
  description: [
    "Formats one file with the project's formatter, such as prettier, black or gofmt.",
    "Changes nothing if there is none, or if the file has a syntax error.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The path.",
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "Absolute." },
      formatter: { type: "string", description: "Program that was run." },
      changed: { type: "boolean", description: "False if already formatted." },
      message: { type: "string" },
      diff: { type: "string" },
    },
    required: ["path", "formatter", "changed", "message"],
    additionalProperties: false,
  },
  requires: {
    fs: { read: ["{workspace}/**", "{repository}/**"], write: ["{workspace}/**"] },
    shell: formatters.map(({ name }) => ({ cmd: name })),
  },
  kind: "edit",
  source: "builtin",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "write", reads: true }] },
  execute: async (args, runtime) => {
    if (runtime.signal.aborted)
      throw new ToolError("cancelled", "Cancelled: nothing was formatted.");
    const { fs, session } = runtime;
    const path = fs.resolve(args.path);
    requireInside(path, session);
    const { content, version } = await fs.load(path);
    requireUtf8(content, path);
    const found = await findFormatter(path, runtime);
    const formatter = found.formatter.name;
    const formatted = await format({ path, content, found }, runtime);
    if (isSameBytes(content, formatted)) {
      const message = `${path} is already formatted according to ${formatter}.`;
      return { path, formatter, changed: false, message };
    }
    await fs.write(path, formatted, { expect: version });
    const message = `Formatted ${path} with ${formatter}.`;
    const data: FormatFileData = { path, formatter, changed: true, message };
    const name = nameInWorkspace(path, session.roots);
    const diff = describeChange(name, content, formatted);
    return diff === undefined ? data : { ...data, diff };
  },
});

interface Formatting {
  readonly path: string;
  readonly content: Uint8Array;
  readonly found: FoundFormatter;
}

async function format(
  { path, content, found }: Formatting,
  { shell }: Runtime,
): Promise<Uint8Array> {
  const { argv, directory, searchFirst } = found;
  if ((await shell.find(argv[0], searchFirst)) === undefined) throw notInstalled(path, found);
  // Not every formatter supports a byte order mark.
  const mark = content.subarray(0, hasMark(content) ? byteOrderMark.length : 0);
  const result = await shell.run({
    argv,
    searchFirst,
    cwd: directory,
    input: content.subarray(mark.length),
    // The result is what it prints. A plugin must not change other files.
    applies: "none",
  });
  requireSuccess(result, { path, content, found });
  return hasMark(result.stdout) ? result.stdout : joinBytes([mark, result.stdout]);
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

function hasMark(bytes: Uint8Array): boolean {
  return byteOrderMark.every((byte, index) => bytes[index] === byte);
}

// Formatters read everything as UTF-8 and would replace invalid bytes.
function requireUtf8(content: Uint8Array, path: string): void {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new ToolError(
      "failed",
      `Can't format ${path}: it is not UTF-8, and a formatter would damage it.`,
      { absolutePath: path, remedy: "Format it with `edit`." },
    );
  }
}

function requireSuccess(
  { exitCode, stdout, stderr }: ProgramResult,
  { path, content, found }: Formatting,
): void {
  const { name } = found.formatter;
  if (exitCode === 0) {
    if (!isBlank(stdout) || isBlank(content)) return;
    throw new ToolError("failed", `${name} printed nothing for ${path}. The file is unchanged.`, {
      absolutePath: path,
    });
  }
  throw new ToolError(
    "failed",
    `${name} could not format ${path}. The file is unchanged. Error: ${shorten(stderr)}`,
    { absolutePath: path },
  );
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= 0x20);
}

function shorten(text: string): string {
  // Formatters color their messages.
  const plain = text.replaceAll(colour, "").trim();
  if (plain === "") return "none was printed.";
  return clipText(plain, 2_000);
}

const colour = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, "gu");

function notInstalled(path: string, { formatter, configurationFile }: FoundFormatter): ToolError {
  return new ToolError(
    "unavailable",
    `Can't format ${path}: ${configurationFile} requires ${formatter.name}, which is not installed. Install the project's dependencies, or ${formatter.name} itself.`,
    { absolutePath: path },
  );
}
