import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { defaultSettings, type RunnerSettings } from "../../platform-settings.ts";
import { packArtifact } from "../artifact.ts";
import { createRunner, type RunnerOptions, type SandboxRunner } from "../create-runner.ts";
import type { ToolProgram, ToolRun, ToolRunResult } from "../runner.ts";

/** A runner with real sandboxes, for tests. */
export interface TestRunner extends SandboxRunner {
  /** Runs a tool once. */
  call(program: ToolProgram, run?: Partial<ToolRun>): Promise<ToolRunResult>;
}

/** Makes a runner that is closed, and leaves nothing behind, when it is closed. */
export function openTestRunner(
  settings: Partial<RunnerSettings> = {},
  options: Partial<Pick<RunnerOptions, "privateHosts">> = {},
): TestRunner {
  const directory = mkdtempSync(join(tmpdir(), "haft-runner-"));
  const runner = createRunner({
    settings: { ...defaultSettings.runner, ...settings },
    privateHosts: "declared",
    directory,
    ...options,
  });
  return {
    ...runner,
    call: (program, run) => runner.run(program, makeRun(run)),
    close: async (graceMs) => {
      await runner.close(graceMs);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A version of a tool in JavaScript, by the body of its function or its whole module. */
export function nodeTool(code: string, over: Partial<ToolProgram> = {}): ToolProgram {
  const isModule = /\bexport\b/u.test(code);
  const source = isModule ? code : `export async function runTool(tool) {\n${code}\n}`;
  return toProgram({ runtime: "node", ...toCommonJs(source) }, over);
}

// As a build does it: what can't be converted, such as top-level await, stays a module.
function toCommonJs(source: string): { readonly code: string; readonly format?: "commonjs" } {
  try {
    const { code } = transformSync(source, {
      format: "cjs",
      platform: "node",
      define: { "import.meta.url": '"file:///tool/tool.js"' },
      logLevel: "silent",
    });
    return { code, format: "commonjs" };
  } catch {
    return { code: source };
  }
}

/** The same in Python. */
export function pythonTool(code: string, over: Partial<ToolProgram> = {}): ToolProgram {
  const parameters =
    "tool_input, metadata, config, conversation, send_status_event, user_variables";
  const lines = code
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
  const source = code.includes("def run_tool") ? code : `def run_tool(${parameters}):\n${lines}\n`;
  const files = { "src/tool.py": Buffer.from(source).toString("base64") };
  return toProgram({ runtime: "python", module: "src.tool", files }, over);
}

/** Makes an artifact into something to run. */
export function toProgram(
  artifact: Parameters<typeof packArtifact>[0],
  over: Partial<ToolProgram> = {},
): ToolProgram {
  const { bytes, digest } = packArtifact(artifact);
  return {
    organization: "a".repeat(24),
    toolId: "1".repeat(24),
    name: "greeter",
    version: "1.0.0",
    runtime: artifact.runtime,
    digest,
    load: async () => bytes,
    allowedHosts: [],
    simulationHosts: [],
    timeoutMs: 15_000,
    memoryMb: defaultSettings.runner.memoryMb,
    ...over,
  };
}

let count = 0;
const noConfig = {};

/** An invocation. */
export function makeRun(over: Partial<ToolRun> = {}): ToolRun {
  count += 1;
  return {
    invocationId: count.toString(16).padStart(24, "0"),
    mode: "regular",
    input: {},
    config: noConfig,
    conversation: null,
    userVariables: {},
    sensitiveUserVariables: {},
    ...over,
  };
}

/** The output of a run that went well; an error with what happened otherwise. */
export function outputOf(result: ToolRunResult): string {
  if (result.succeeded) return result.output;
  throw new Error(`${result.exceptionType}: ${result.exceptionMessage}`);
}
