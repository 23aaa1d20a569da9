import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { ProjectTree } from "../../git/repositories.ts";
import { defaultSettings, type PlatformSettings } from "../../platform-settings.ts";
import { type Artifact, unpackArtifact } from "../../runner/artifact.ts";
import type { Builder, BuildProgress, BuiltTool } from "../builder.ts";
import { type BuilderOptions, createBuilder } from "../create-builder.ts";
import { type Runtime, readScaffold } from "../scaffold.ts";

/** A builder, and where it works. */
export interface TestBuilder extends Builder {
  readonly directory: string;
}

const allOpened: TestBuilder[] = [];

/** Closes every builder and removes its directory. Each file that opens builders calls it at its end. */
export async function closeBuilders(): Promise<void> {
  for (const { close, directory } of allOpened.splice(0)) {
    await close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A builder with a directory of its own. */
export function openBuilder(
  options: Partial<Omit<BuilderOptions, "settings">> & {
    readonly settings?: Partial<PlatformSettings>;
  } = {},
): TestBuilder {
  const directory = mkdtempSync(join(tmpdir(), "haft-build-"));
  const builder = createBuilder({
    ...{ directory, ...options },
    settings: { ...defaultSettings, ...options.settings },
  });
  const opened = { ...builder, directory };
  allOpened.push(opened);
  return opened;
}

/** The scaffold's project with some files put in other words, or taken out with `undefined`. */
export async function makeProject(
  runtime: Runtime,
  changes: Readonly<Record<string, string | object | undefined>> = {},
): Promise<ProjectTree> {
  const files = new Map(await readScaffold({ name: "my_tool", runtime }));
  for (const [path, content] of Object.entries(changes)) {
    if (content === undefined) files.delete(path);
    else if (typeof content === "string") files.set(path, Buffer.from(content));
    else files.set(path, Buffer.from(JSON.stringify(content)));
  }
  return files;
}

/** The scaffold's `tool.json`, with other fields. */
export async function makeManifest(runtime: Runtime, fields: object): Promise<object> {
  const bytes = (await readScaffold({ name: "my_tool", runtime })).get("tool.json") as Uint8Array;
  return { ...JSON.parse(Buffer.from(bytes).toString("utf8")), ...fields };
}

/** Builds, and tells what was said meanwhile. */
export async function buildQuietly(
  builder: Builder,
  project: ProjectTree,
  organization: string = "a".repeat(24),
): Promise<BuiltTool & { progress: BuildProgress[]; lines: string[] }> {
  const progress: BuildProgress[] = [];
  const lines: string[] = [];
  const built = await builder.build(project, {
    organization,
    onProgress: (each) => void progress.push(each),
    onLog: (line) => void lines.push(line),
  });
  return { ...built, progress, lines };
}

/** What a builder says of a project that it refuses. It never says where it works. */
export async function refusal(builder: TestBuilder, project: ProjectTree): Promise<Error> {
  const error = await buildQuietly(builder, project).then(
    () => expect.unreachable("It was built."),
    (reason: Error) => reason,
  );
  expect(error).toMatchObject({ name: "Problem", status: 400 });
  expect(error.message).not.toContain(builder.directory);
  return error;
}

/** The code of an artifact for Node. */
export function codeOf(bytes: Uint8Array): string {
  return (unpackArtifact(bytes) as Extract<Artifact, { runtime: "node" }>).code;
}
