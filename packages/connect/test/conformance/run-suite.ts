import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The suite that is out, and the one that comes with the era of 2026. */
export type Suite = "@modelcontextprotocol/conformance" | "conformance-2026";

const require = createRequire(import.meta.url);
const programs: Readonly<Record<Suite, string>> = {
  "@modelcontextprotocol/conformance": require.resolve(
    "@modelcontextprotocol/conformance/dist/index.js",
  ),
  "conformance-2026": require.resolve("conformance-2026/dist/index.js"),
};

/** How the scenarios of a suite went. */
export interface SuiteOutcome {
  readonly exitCode: number | null;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Everything the suite wrote, to find out why. */
  readonly output: string;
}

/** Runs an official suite as its users do, and reads what it says of each scenario. */
export async function runSuite(suite: Suite, args: readonly string[]): Promise<SuiteOutcome> {
  // Some scenarios leave files where they run.
  const directory = await mkdtemp(join(tmpdir(), "haft-conformance-"));
  try {
    const program = [programs[suite], ...args];
    const { exitCode, output } = await collect(process.execPath, program, directory);
    const scenarios = [...output.matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed/gm)];
    const withMark = (wanted: string): string[] =>
      scenarios.flatMap(([, mark, name]) => (mark === wanted && name ? [name] : []));
    return { exitCode, passed: withMark("✓"), failed: withMark("✗"), output };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function collect(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ exitCode: number | null; output: string }> {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, output }));
  });
}
