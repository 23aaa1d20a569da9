import { existsSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import {
  askScript,
  type DescribedScript,
  examineScript,
  nameScript,
  readToolbox,
  type ScriptFault,
} from "@haft/connect/internal/toolbox";
import type { ToolboxOptions } from "@haft/connect/toolbox";
import { nearestNames } from "@haft/core/internal";
import { UsageError } from "../../usage-error.ts";

/** Finds a script by its file or the name of its tool, and asks it for its description again. */
export async function findScript(
  wanted: string,
  directory: string,
  toolbox: ToolboxOptions,
): Promise<DescribedScript | ScriptFault> {
  const path = await locate(wanted, directory, toolbox);
  const script = examineScript(path, toolbox.computer);
  if ("fault" in script) return script;
  const named = nameScript(script, await askScript(script, toolbox));
  return typeof named === "string" ? { path, fault: named } : named;
}

async function locate(wanted: string, directory: string, toolbox: ToolboxOptions): Promise<string> {
  const file = resolve(directory, wanted);
  if (wanted.includes("/") && existsSync(file)) return file;
  const { scripts, faults } = await readToolbox(toolbox);
  const named = scripts.find(({ id }) => id === wanted || id === `tb__${wanted}`);
  if (named !== undefined) return named.script.path;
  const paths = [...scripts.map(({ script }) => script.path), ...faults.map(({ path }) => path)];
  const found = paths.find((path) => [basename(path), stem(path)].includes(wanted));
  if (found !== undefined) return found;
  if (existsSync(file)) return file;
  const near = nearestNames(wanted, [...scripts.map(({ id }) => id), ...paths.map(stem)]);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "`haft toolbox` lists the scripts.";
  throw new UsageError(`There is no script ${JSON.stringify(wanted)}. ${hint}`);
}

function stem(path: string): string {
  return basename(path, extname(path));
}
