import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isPlainObject } from "@haft/contract/internal";
import { toVisibleLine } from "@haft/core/internal";
import type { Invocation } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionText, optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { requireProject } from "./project/find-project.ts";
import { isId } from "./require-tool.ts";
import { showVersion } from "./show-time.ts";

/** `haft tool case add`: writes a recorded invocation as a case into a project. */
export async function addCase(input: CommandInput, io: Io): Promise<number> {
  const [action, id = ""] = input.positionals;
  if (action !== "add" || !isId(id)) {
    throw new UsageError(
      "Write: haft tool case add INVOCATION. `haft tool logs` shows the IDs of invocations.",
    );
  }
  const name = optionText(input, "name") ?? id;
  if (!/^[\w-]{1,80}$/u.test(name)) {
    throw new UsageError("--name takes up to 80 letters, digits, _ and -.");
  }
  // The folder need not be in a repository yet.
  const options = { ...input.options, push: true };
  const project = await requireProject({ ...input, options }, io);
  const client = openClient(input, io);
  const invocation = await client.history.get(id, io.signal);
  const [tool] = (await client.tools.list({ id: [invocation.tool_id] })).tools;
  if (tool !== undefined && project.name !== undefined && tool.name !== project.name) {
    throw new UsageError(
      `Invocation ${id} is of ${tool.name}, and ${project.directory} is the project of ${project.name}. Name the other folder with --path DIR.`,
    );
  }
  const { content, removed } = toCase(invocation, optionTexts(input, "ignore"));
  const path = join(project.directory, "cases", `${name}.json`);
  writeNew(path, `${JSON.stringify(content, undefined, 2)}\n`, project.directory);
  const shown = relative(io.directory, path);
  if (input.options.json === true) printJson({ path, removed }, io);
  else io.out(`${toVisibleLine(`Wrote ${shown}. Commit it: every publish and test runs it.`)}\n`);
  if (typeof invocation.unrecorded === "string" && input.options.json !== true) {
    const what = `haft: it was invoked with ${invocation.unrecorded}, which the case does not have`;
    io.error(`${toVisibleLine(what)}\n`);
  }
  if (removed.length > 0 && input.options.json !== true) {
    const what = `haft: removed secrets from the input: ${removed.join(", ")}. Put in what a test may use, and check the output`;
    io.error(`${toVisibleLine(what)}\n`);
  }
  return 0;
}

function writeNew(path: string, text: string, within: string): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true });
    if (realpathSync(folder) !== join(realpathSync(within), "cases")) {
      throw new UsageError(`${folder} is a link to another place. Replace it with a folder.`);
    }
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "exists already" : `can't be written (${code})`;
    throw new UsageError(`${path} ${why}. Choose another name with --name NAME.`);
  }
}

// The platform masks the values of secrets that it knows. Others are told by the names of their fields.
const mask = "•••";
const secretName =
  /pass(?:word|wd|phrase)|secret|token|api_?-?key|authorization|credential|private_?-?key/iu;
const placeholder = "REMOVED";
const minEchoCharacters = 6;

function toCase(
  { id, inputs, invocation_status: status, tool_version }: Invocation,
  ignore: readonly string[],
): { readonly content: object; readonly removed: readonly string[] } {
  const removed = new Map<string, string>();
  const clean = (value: unknown, path: string, isSecret: boolean): unknown => {
    if (Array.isArray(value)) {
      return value.map((each, index) => clean(each, `${path}.${index}`, isSecret));
    }
    if (isPlainObject(value)) {
      const fields = Object.entries(value).map(([name, each]) => {
        const inner = path === "" ? name : `${path}.${name}`;
        return [name, clean(each, inner, isSecret || secretName.test(name))];
      });
      return Object.fromEntries(fields);
    }
    if (typeof value === "number" && isSecret) {
      removed.set(path, String(value));
      return 0;
    }
    if (typeof value !== "string") return value;
    if (isSecret || value.includes(mask) || hidesSecret(value)) {
      removed.set(path, value);
      return placeholder;
    }
    const parsed = parseJson(value);
    if (parsed === undefined) return value;
    const count = removed.size;
    const cleaned = clean(parsed, path, false);
    return removed.size === count ? value : JSON.stringify(cleaned);
  };
  const input = clean(inputs, "", false);
  const echoed = [...removed.values()]
    .filter(({ length }) => length >= minEchoCharacters)
    .flatMap((value) => [value, Buffer.from(value).toString("base64").replace(/=+$/u, "")]);
  const hide = (text: string): string =>
    echoed.reduce((rest, value) => rest.replaceAll(value, placeholder), text);
  const result = status.succeeded
    ? { output: parseOutput(hide(status.output)) }
    : { error: hide(`${status.exception_type}: ${status.exception_message}`) };
  const content = {
    input,
    ...result,
    ...(ignore.length > 0 && { ignore }),
    recorded: { invocation: id, version: showVersion(tool_version) },
  };
  return { content, removed: [...removed.keys()] };
}

/** JSON objects and lists are written as such, so that people can read and change them. */
function parseOutput(text: string): unknown {
  return parseJson(text) ?? text;
}

/** Parses a JSON object or list. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is JSON in base64, as in a JWT, with a field that is named like a secret. */
function hidesSecret(text: string): boolean {
  return text
    .split(".")
    .filter((part) => /^[\w+/-]{8,}={0,2}$/u.test(part))
    .some((part) => {
      const value = parseJson(Buffer.from(part, "base64").toString());
      return value !== undefined && secretName.test(JSON.stringify(value));
    });
}
