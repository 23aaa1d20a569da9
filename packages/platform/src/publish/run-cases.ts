import { isPlainObject } from "@haft/contract/internal";
import type { ProjectTree } from "../git/repositories.ts";
import type { JsonObject } from "../json.ts";
import { type JsonPath, parseJsonPath } from "../json-path.ts";
import { Problem } from "../problem.ts";
import { createOutputCheck } from "../project/check-output.ts";
import { createInputValidator } from "../project/input-validator.ts";
import { compareResults, type EndedRun } from "../replay/compare-results.ts";
import { mapLimited } from "../replay/select-invocations.ts";
import { createSimulation } from "../replay/simulate.ts";
import type { Runner, ToolProgram } from "../runner/runner.ts";
import { toShownName } from "../shown-name.ts";
import type { ToolVariables } from "../versions/resolved-version.ts";
import type { BuiltTool } from "./builder.ts";

/** A recorded invocation that every version has to repeat: a file such as `cases/NAME.json`. */
interface ToolCase {
  readonly path: string;
  readonly input: JsonObject;
  readonly expected: EndedRun;
  readonly ignored: readonly JsonPath[];
}

const maxCases = 200;
const maxTold = 10;
const form = /^cases\/[^/]+\.json$/u;

/** What cases are run with. */
export interface CaseSetting {
  readonly runner: Pick<Runner, "run">;
  readonly program: ToolProgram;
  readonly variables: ToolVariables;
  /** Called before the first case runs. */
  onBegin?(): void;
  log?(line: string): void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a project's cases in simulation mode. Throws a `Problem` 400 that names the failing ones, or a
 * file that is not a case.
 */
export async function runCases(
  project: ProjectTree,
  { manifest }: Pick<BuiltTool, "manifest">,
  setting: CaseSetting,
): Promise<void> {
  const cases = readCases(project);
  if (cases.length === 0) return;
  setting.onBegin?.();
  const { program, signal } = setting;
  const validate = createInputValidator(manifest.inputSchema);
  const checkOutput = createOutputCheck(manifest.outputSchema);
  const run = createSimulation(setting.runner, setting.variables, signal);
  const failures = await mapLimited(cases, signal, async ({ path, input, expected, ignored }) => {
    const complaint = validate(input);
    if (complaint !== undefined) return `${path}: the input schema refuses its input: ${complaint}`;
    const actual = await run({ program, checkOutput }, input);
    const [change] = compareResults(expected, actual, ignored);
    if (change === undefined) return undefined;
    const where = change.path === "" ? "" : ` at ${change.path}`;
    return `${path}: expected ${change.before ?? "nothing"}${where}, got ${change.after ?? "nothing"}`;
  });
  const failed = failures.filter((each) => each !== undefined);
  if (failed.length === 0) {
    setting.log?.(cases.length === 1 ? "The case passed." : `All ${cases.length} cases passed.`);
    return;
  }
  const more = failed.length > maxTold ? ` And ${failed.length - maxTold} more.` : "";
  const what = failed.length === 1 ? "A case failed" : `${failed.length} cases failed`;
  throw new Problem(
    400,
    `${what}. ${failed.slice(0, maxTold).join(". ")}.${more} Fix the tool, or change or remove the file.`,
  );
}

function readCases(project: ProjectTree): readonly ToolCase[] {
  const paths = [...project.keys()].filter((path) => form.test(path)).sort();
  if (paths.length > maxCases) {
    throw new Problem(400, `The project has ${paths.length} cases, and ${maxCases} are allowed.`);
  }
  return paths.map((path) => readCase(path, project.get(path) ?? new Uint8Array()));
}

function readCase(name: string, bytes: Uint8Array): ToolCase {
  const path = toShownName(name);
  const refuse = (why: string): never => {
    throw new Problem(400, `${path} ${why}. \`haft tool case add\` writes such a file.`);
  };
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (error) {
    return refuse(`is not valid JSON: ${(error as Error).message}`);
  }
  if (!isPlainObject(content)) return refuse("must be a JSON object");
  const { input, output, error, ignore = [] } = content;
  if (!isPlainObject(input)) return refuse("needs an input, which is an object");
  if ((output === undefined) === (error === undefined)) {
    return refuse("needs either output, of any form, or error, a text such as TypeError: no name");
  }
  if (error !== undefined && typeof error !== "string")
    return refuse("has an error that is not text");
  const isList = Array.isArray(ignore) && ignore.every((each) => typeof each === "string");
  if (!isList) return refuse("has an ignore that is not a list of paths");
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return {
    path,
    input: input as JsonObject,
    expected:
      typeof error === "string" ? { succeeded: false, error } : { succeeded: true, output: text },
    ignored: (ignore as string[]).map(parseJsonPath),
  };
}
