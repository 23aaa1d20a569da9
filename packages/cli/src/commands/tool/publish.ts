import { toVisibleLine } from "@haft/core/internal";
import {
  type Bump,
  type PlatformClient,
  PlatformError,
  type Published,
  type Tool,
} from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { requireEnvironment } from "../../environments/find-environment.ts";
import { toClient } from "../../environments/open-client.ts";
import { optionChoice } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { UsageError } from "../../usage-error.ts";
import { type Project, requireProject } from "./project/find-project.ts";
import { findRemote, pushProject, warnOfDifference } from "./project/push-project.ts";
import { createProgressDisplay } from "./project/show-progress.ts";

const bumps = ["major", "minor", "patch"] as const satisfies readonly Bump[];

const repos = ["team", "main"] as const;

/** `haft tool publish`: publishes a version of what is on the release branch, or on `main`. */
export async function publishTool(input: CommandInput, io: Io): Promise<number> {
  const bump = optionChoice(input, "bump", bumps) as Bump;
  const repo = optionChoice(input, "repo", repos) ?? "team";
  const [wanted] = input.positionals;
  const project = await requireProject(input, io);
  const name = wanted ?? project.name;
  if (name === undefined) {
    throw new UsageError(
      `${project.directory}/tool.json has no name. Add one, or name the tool: haft tool publish NAME.`,
    );
  }
  const environment = requireEnvironment(input, io);
  const client = toClient(environment, io);
  const tool = await findOrCreate(name, { client, project }, { input, io });
  if (tool === undefined) return 1;
  const removeIfCreated = async (): Promise<void> => {
    if (!tool.isCreated) return;
    // The reason why nothing was published matters more than a tool that stays.
    await client.tools.deprecate(tool.id).catch(() => {
      io.error(
        `haft: the new tool ${name} is still there, without a version. Remove it with: haft tool deprecate ${name}\n`,
      );
    });
  };
  try {
    const exitCode = await pushAndPublish({ client, tool, project, bump, repo }, environment, {
      input,
      io,
    });
    if (exitCode !== 0) await removeIfCreated();
    return exitCode;
  } catch (error) {
    await removeIfCreated();
    throw error;
  }
}

/** What is published, and how. */
interface PublishOrder {
  readonly client: PlatformClient;
  readonly tool: Pick<Tool, "id" | "name">;
  readonly project: Project;
  readonly bump: Bump;
  readonly repo: (typeof repos)[number];
}

async function pushAndPublish(
  order: PublishOrder,
  environment: ReturnType<typeof requireEnvironment>,
  { input, io }: { readonly input: CommandInput; readonly io: Io },
): Promise<number> {
  const { client, project, repo } = order;
  const branch = repo === "main" ? "main" : `releases/${await client.organization()}`;
  const push = { project, branch, remote: await findRemote(client, environment.apiKey) };
  if (input.options.push === true) await pushProject(push, io);
  else if (!(await warnOfDifference(push, io))) {
    throw new UsageError(
      `Tools are published from ${branch}, and nothing was pushed to it yet. Add --push, or run: git push ${push.remote.url} HEAD:${branch}`,
    );
  }
  return publish(order, input, io);
}

async function publish(
  { client, tool, project, bump, repo }: PublishOrder,
  input: CommandInput,
  io: Io,
): Promise<number> {
  const display = createProgressDisplay(input, io);
  const candidate = input.options.candidate === true;
  const publication = { project_path: project.path, bump_type: bump, repo, candidate };
  try {
    const result = await client.versions.publish(tool.id, publication, display);
    display.finish(true);
    if (input.options.json === true)
      io.out(`${JSON.stringify({ event: "result", data: result })}\n`);
    else io.out(`${toVisibleLine(describeResult(tool.name, result, candidate))}\n`);
    return 0;
  } catch (error) {
    display.finish(false);
    if (input.options.json === true && PlatformError.isInstance(error)) {
      const { status, detail } = error;
      io.out(`${JSON.stringify({ event: "error", data: { status, detail } })}\n`);
      return 1;
    }
    throw error;
  }
}

function describeResult(
  name: string,
  { new_version: version, same_commit_as: before }: Published,
  isCandidate: boolean,
): string {
  const origin = before === undefined ? "" : `, from the same commit as ${before}`;
  return isCandidate
    ? `Published the candidate ${name} ${version}${origin}. Make it the latest with: haft tool promote ${name} ${version}`
    : `Published ${name} ${version}${origin}.`;
}

async function findOrCreate(
  name: string,
  { client, project }: { readonly client: PlatformClient; readonly project: Project },
  { input, io }: { readonly input: CommandInput; readonly io: Io },
): Promise<(Pick<Tool, "id" | "name"> & { readonly isCreated: boolean }) | undefined> {
  const found = await client.tools.find(name);
  if (found !== undefined && !found.deprecated) return { ...found, isCreated: false };
  const command = `haft tool create ${name} --description '…'`;
  if (input.options.create !== true) {
    if (!io.interactive) {
      throw new UsageError(
        `There is no tool ${JSON.stringify(name)} yet. Add --create, or run: ${command}`,
      );
    }
    const question = toVisibleLine(`There is no tool ${name} yet. Create it? [y/n] `);
    const answer = await io.readLine(question, io.signal);
    if (!/^y(?:es)?$/iu.test(answer?.trim() ?? "")) {
      io.error("haft: nothing was published\n");
      return undefined;
    }
  }
  if (project.description === undefined) {
    throw new UsageError(
      `${project.directory}/tool.json has no description, and a new tool needs one. Add it, or run: ${command}`,
    );
  }
  const { description } = project;
  const { id } = await client.tools.create({ name, description, tags: {} });
  return { name, id, isCreated: true };
}
