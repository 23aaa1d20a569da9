import { toVisibleText } from "@haft/core/internal";
import type { InvocationResult, InvocationResults } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { requireEnvironment } from "../../environments/find-environment.ts";
import { toClient } from "../../environments/open-client.ts";
import { optionText, optionTexts, splitPair } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { type Project, requireProject } from "./project/find-project.ts";
import { tryGit } from "./project/git.ts";
import { findRemote, pushProject, warnOfDifference } from "./project/push-project.ts";
import { createProgressDisplay } from "./project/show-progress.ts";
import { parseInput, toInputs } from "./read-inputs.ts";
import { readSecretPair } from "./secret-value.ts";

/** `haft tool test`: checks and runs what is on a branch, without publishing it. */
export async function testTool(input: CommandInput, io: Io): Promise<number> {
  const words = optionTexts(input, "input");
  const inputs = toInputs(words.length === 0 ? [{}] : words.map(parseInput), input, io);
  // The name of a platform never contains =, so one option can take both.
  const [variables, names] = partition(optionTexts(input, "env"), (word) => word.includes("="));
  const required_envvars = Object.fromEntries(variables.map((word) => splitPair(word, "--env")));
  const secrets = optionTexts(input, "secret-env");
  const required_secret_envvars = Object.fromEntries(
    secrets.map((word) => readSecretPair(word, "--secret-env", io)),
  );
  const project = await requireProject(input, io);
  const branch = optionText(input, "branch") ?? (await findBranch(project, input, io));
  const given = { ...input, options: { ...input.options, env: [...names] } };
  const environment = requireEnvironment(given, io);
  const client = toClient(environment, io);
  const push = { project, branch, remote: await findRemote(client, environment.apiKey) };
  if (input.options.push === true) await pushProject(push, io);
  else if (!(await warnOfDifference(push, io))) {
    throw new UsageError(
      `The platform has no branch ${branch}. Add --push, or run: git push ${push.remote.url} HEAD:${branch}`,
    );
  }
  // With --json only the result is printed, no progress.
  const display = createProgressDisplay(
    { ...input, options: { ...input.options, json: false } },
    io,
  );
  const request = {
    inputs,
    commit_branch: branch,
    project_path: project.path,
    required_envvars,
    required_secret_envvars,
  };
  let body: InvocationResults;
  try {
    body = await client.versions.test(request, input.options.json === true ? {} : display);
  } catch (error) {
    display.finish(false);
    throw error;
  }
  display.finish(true);
  if (input.options.json === true) printJson(body, io);
  else
    for (const [at, result] of body.invocation_results.entries()) io.out(toLines(at, result, io));
  return body.invocation_results.every(({ succeeded }) => succeeded) ? 0 : 1;
}

async function findBranch(project: Project, input: CommandInput, io: Io): Promise<string> {
  // A scratch branch: the folder as it is becomes a new commit on it.
  if (input.options.push === true) return `try/${project.name ?? "tool"}`;
  const words = ["symbolic-ref", "--quiet", "--short", "HEAD"];
  const { exitCode, stdout } = await tryGit(project.directory, words, { io });
  if (exitCode === 0) return stdout.trim();
  throw new UsageError("HEAD is detached. Name the branch to test with --branch BRANCH.");
}

function toLines(at: number, result: InvocationResult, io: Io): string {
  const mark = result.succeeded ? "✓" : "✗";
  const text = result.succeeded
    ? result.output
    : [
        `${result.exception_type}: ${result.exception_message}`,
        ...result.exception_stack_trace,
      ].join("\n");
  const shown = io.outputIsTerminal ? toVisibleText(text) : text;
  return `${mark} input ${at + 1}, ${result.duration_ms} ms\n${shown.replace(/^/gmu, "    ")}\n`;
}

function partition(
  words: readonly string[],
  belongs: (word: string) => boolean,
): readonly [readonly string[], readonly string[]] {
  return [words.filter(belongs), words.filter((word) => !belongs(word))];
}
