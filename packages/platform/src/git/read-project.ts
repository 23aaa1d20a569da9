import { Problem } from "../problem.ts";
import { type ListedEntry, listTree } from "./list-tree.ts";
import { lookUp, type RepositoryPlace } from "./look-up.ts";
import { readObjects } from "./read-objects.ts";
import type { ProjectTree } from "./repositories.ts";
import { normalisePath } from "./repository-path.ts";
import { toShownName } from "./shown-name.ts";

/** A folder at a commit, and how large it may be. */
export interface ProjectPlace {
  readonly commit: string;
  readonly path: string;
  readonly mostBytes: number;
}

const mostFiles = 10_000;

/** Reads a project's files, after it was seen that they are plain and not too many or too large. */
export async function readProject(
  place: RepositoryPlace,
  project: ProjectPlace,
): Promise<ProjectTree> {
  const path = normalisePath(project.path);
  const shown = path === "" ? "The repository" : `The folder ${toShownName(path)}`;
  const [tree] = isHash(project.commit)
    ? await lookUp(place, [`${project.commit}:${path}`])
    : [undefined];
  if (tree?.type !== "tree") {
    throw new Problem(
      404,
      `There is no folder ${toShownName(path)} at the commit ${toShownName(project.commit)}. Push it, or name another project_path.`,
    );
  }
  const entries = await listTree(place, { tree: tree.hash, recursive: true });
  if (entries === undefined || entries.length > mostFiles) {
    throw new Problem(400, `${shown} holds more than ${mostFiles} files, which is too many.`);
  }
  for (const entry of entries) requirePlain(entry);
  const bytes = entries.reduce((sum, { size = 0 }) => sum + size, 0);
  if (bytes > project.mostBytes) {
    throw new Problem(
      400,
      `${shown} holds ${bytes} bytes, which is more than the ${project.mostBytes} that a project can have.`,
    );
  }
  return await readFiles(place, { entries, mostBytes: project.mostBytes });
}

function requirePlain({ type, path }: ListedEntry): void {
  if (type === "file") return;
  const kind = type === "symlink" ? "a symbolic link" : "a submodule";
  throw new Problem(
    400,
    `${toShownName(path)} is ${kind}. A project holds plain files only: put the file itself there.`,
  );
}

async function readFiles(
  place: RepositoryPlace,
  listed: { readonly entries: readonly ListedEntry[]; readonly mostBytes: number },
): Promise<ProjectTree> {
  const { entries, mostBytes } = listed;
  const files = new Map<string, Uint8Array>();
  const reading = place.git.start([`--git-dir=${place.path}`, "cat-file", "--buffer", "--batch"], {
    signal: place.signal,
  });
  reading.stdin.end(entries.map(({ hash }) => `${hash}\n`).join(""));
  // They come in the order in which they were asked for.
  const expected = entries.values();
  for await (const { content } of readObjects(reading.stdout, { mostBytes })) {
    const entry = expected.next().value;
    // A copy: the bytes are a part of what was read at a time, which would be kept along with them.
    if (entry !== undefined) files.set(entry.path, Uint8Array.from(content));
  }
  const { code, errors } = await reading.ended;
  if (code !== 0 || files.size !== entries.length) {
    throw new Error(`Reading a project ended with ${code}: ${errors}`);
  }
  return files;
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}
