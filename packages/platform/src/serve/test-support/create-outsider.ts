import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitFiles, makeWorkingTree, runClient } from "../../git/test-support/git-client.ts";
import type { Credentials } from "../../organizations/credentials-file.ts";
import { type Answer, type Call, type CallerOptions, createCaller } from "./create-caller.ts";
import type { ProjectFiles } from "./tool-projects.ts";

/** How an invocation ended, as the wire has it. */
export interface WireResult {
  readonly succeeded: boolean;
  readonly output?: string;
  readonly exception_type?: string;
  readonly exception_message?: string;
  readonly duration_ms: number;
}

/** One input of an invocation, or only its parameters. */
export interface WireInput {
  readonly input_parameters: object;
  readonly invocation_mode?: string;
  readonly nonsensitive_user_variables?: Readonly<Record<string, string>>;
  readonly sensitive_user_variables?: Readonly<Record<string, string>>;
}

/** What an answer to an invocation holds. */
export interface WireResults {
  readonly invocation_results: readonly WireResult[];
}

/** Somebody who has nothing but the address of a platform and a key. */
export interface Outsider {
  readonly url: string;
  readonly organization: string;
  readonly userId: string;
  readonly key: string;
  readonly call: Call;
  /** The address of the repository, with a name and password in it. */
  readonly remote: string;
  /** The same person, where the platform is now. */
  at(url: string): Outsider;
  /** Adds files to the project, commits and pushes. Default branch: the release branch. */
  push(files: ProjectFiles, branch?: string): Promise<string>;
  /** Makes a tool and gives its id. */
  createTool(name: string): Promise<string>;
  /** Publishes a folder of the release branch, and gives the new version. */
  publish(toolId: string, folder: string, bump?: string): Promise<string>;
  invoke(
    tool: { readonly id: string; readonly version?: string },
    inputs: readonly WireInput[],
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer<WireResults>>;
  /** Takes the working tree away. */
  close(): void;
}

/** Makes somebody who uses a platform over HTTP and git. */
export function createOutsider(
  credentials: Credentials,
  onAnswer?: CallerOptions["onAnswer"],
): Outsider {
  const { organization, user_id: userId, api_key: key } = credentials;
  const tree = mkdtempSync(join(tmpdir(), "haft-outsider-"));
  let isMade = false;
  const enter = (url: string): Outsider => {
    const place = { url, organization, token: key };
    const call = createCaller({ ...place, ...(onAnswer !== undefined && { onAnswer }) });
    const named = url.replace("//", `//${organization}_${userId}:${key}@`);
    const remote = `${named}/v1/${organization}/tool/git`;
    return {
      ...{ url, organization, userId, key, call, remote },
      at: enter,
      push: async (files, branch = `releases/${organization}`) => {
        const commit = await (isMade ? commitFiles(tree, files) : makeWorkingTree(tree, files));
        isMade = true;
        const target = `HEAD:refs/heads/${branch}`;
        const { code, stderr } = await runClient(tree, ["push", "--quiet", remote, target]);
        if (code !== 0) throw new Error(`git push failed: ${stderr}`);
        return commit;
      },
      createTool: async (name) => {
        const body = { name, description: "Made by a test.", tags: {} };
        return expectStatus(await call<{ id: string }>("POST", "tool/", { body }), 201).id;
      },
      publish: async (toolId, folder, bump = "minor") => {
        const body = { project_path: folder, bump_type: bump };
        const path = `tool/${toolId}/version`;
        const answer = await call<{ new_version: string }>("POST", path, { body });
        return expectStatus(answer, 201).new_version;
      },
      invoke: ({ id, version = "latest" }, inputs, headers = {}) =>
        call<WireResults>("POST", `tool/${id}/version/${encodeURIComponent(version)}/invoke`, {
          body: { inputs: inputs.map((input) => ({ invocation_mode: "regular", ...input })) },
          headers,
        }),
      close: () => rmSync(tree, { recursive: true, force: true }),
    };
  };
  return enter(credentials.url);
}

/** The body of an answer that has this status. */
export function expectStatus<Body>(answer: Answer<Body>, status: number): Body {
  if (answer.status === status) return answer.body;
  throw new Error(`Expected ${status}, and it is ${answer.status}: ${answer.text}`);
}
