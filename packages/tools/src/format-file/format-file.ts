import { defineTool, type ProgramResult, type Runtime, type Tool, ToolError } from "@haft/contract";
import { isSameBytes } from "../lines/byte-lines.ts";
import { describeChange } from "../lines/describe-change.ts";
import { nameInWorkspace } from "../paths/name-in-workspace.ts";
import { joinBytes } from "../text/join-bytes.ts";
import { type FoundFormatter, findFormatter } from "./find-formatter.ts";
import { formatters } from "./formatters.ts";

/** The arguments of `format_file`. */
export interface FormatFileArguments {
  path: string;
}

/** What `format_file` did. */
export interface FormatFileData {
  path: string;
  formatter: string;
  changed: boolean;
  message: string;
  diff?: string;
}

/** Formats a file with what its project uses for it. */
export const formatFile: Tool<FormatFileArguments, FormatFileData> = defineTool({
  id: "format_file",
  description: [
    "Formats one file with the formatter that the project's own configuration names, such as biome, prettier, black, rustfmt or gofmt.",
    "Changes nothing where none is configured or installed, or where the file has a syntax error. undo_edit takes it back.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The file: absolute, or relative to the workspace root.",
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string", description: "In full." },
      formatter: { type: "string", description: "The program that was run." },
      changed: { type: "boolean", description: "False where the file was formatted already." },
      message: { type: "string" },
      diff: { type: "string" },
    },
    required: ["path", "formatter", "changed", "message"],
    additionalProperties: false,
  },
  requires: {
    fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] },
    shell: formatters.map(({ name }) => ({ cmd: name })),
  },
  kind: "edit",
  source: "builtin",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "write" }] },
  execute: async (args, runtime) => {
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Formatted nothing: aborted.");
    const { fs } = runtime;
    const path = fs.resolve(args.path);
    const { content, version } = await fs.load(path);
    requireUtf8(content, path);
    const found = await findFormatter(path, runtime);
    const formatter = found.formatter.name;
    const formatted = await format({ path, content, found }, runtime);
    if (isSameBytes(content, formatted)) {
      const message = `${path} is formatted already, says ${formatter}.`;
      return { path, formatter, changed: false, message };
    }
    await fs.write(path, formatted, { expect: version });
    const message = `Formatted ${path} with ${formatter}.`;
    const data: FormatFileData = { path, formatter, changed: true, message };
    const name = nameInWorkspace(path, runtime.session.roots);
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
  // Not every formatter knows what to do with a byte order mark.
  const mark = content.subarray(0, hasMark(content) ? byteOrderMark.length : 0);
  const result = await shell.run({
    argv,
    searchFirst,
    cwd: directory,
    input: content.subarray(mark.length),
  });
  requireSuccess(result, { path, content, found });
  return hasMark(result.stdout) ? result.stdout : joinBytes([mark, result.stdout]);
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

function hasMark(bytes: Uint8Array): boolean {
  return byteOrderMark.every((byte, index) => bytes[index] === byte);
}

// A formatter takes everything for UTF-8 and would replace what is not.
function requireUtf8(content: Uint8Array, path: string): void {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new ToolError(
      "failed",
      `Can't format ${path}: it is not UTF-8, and a formatter would damage it. Format it by hand, with edit.`,
      { absolutePath: path },
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
    throw new ToolError("failed", `${name} gave nothing for ${path}, which was left as it is.`, {
      absolutePath: path,
    });
  }
  throw new ToolError(
    "failed",
    `${name} could not format ${path}, which was left as it is: ${shorten(stderr)}`,
    { absolutePath: path },
  );
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= 0x20);
}

function shorten(text: string): string {
  // Formatters colour their messages.
  const plain = text.replaceAll(colour, "").trim();
  if (plain === "") return "it did not say why.";
  return plain.length > 2_000 ? `${plain.slice(0, 2_000)}…` : plain;
}

const colour = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, "gu");

function notInstalled(path: string, { formatter, configurationFile }: FoundFormatter): ToolError {
  return new ToolError(
    "unavailable",
    `Can't format ${path}: ${configurationFile} asks for ${formatter.name}, which is not installed. Install the project's dependencies, or ${formatter.name} itself.`,
    { absolutePath: path },
  );
}
