import { Problem } from "../problem.ts";
import { toShownName } from "../shown-name.ts";
import { type ListedEntry, listTree } from "./list-tree.ts";
import { lookUp, type RepositoryContext } from "./look-up.ts";
import { readObjects } from "./read-objects.ts";
import type { ProjectTree } from "./repositories.ts";
import { normalisePath } from "./repository-path.ts";

/** A folder at a commit, and its maximum size. */
export interface ProjectLocation {
  readonly commit: string;
  readonly path: string;
  readonly maxBytes: number;
}

const maxFiles = 10_000;

/**
 * Reads a project's files. Throws a `Problem` if they are not plain files, too many or too large.
 */
export async function readProject(
  repository: RepositoryContext,
  project: ProjectLocation,
): Promise<ProjectTree> {
  const path = normalisePath(project.path);
  const shown = path === "" ? "The repository" : `The folder ${toShownName(path)}`;
  const [tree] = isHash(project.commit)
    ? await lookUp(repository, [`${project.commit}:${path}`])
    : [undefined];
  if (tree?.type !== "tree") {
    throw new Problem(
      404,
      `There is no folder ${toShownName(path)} at the commit ${toShownName(project.commit)}. Push it, or change project_path.`,
    );
  }
  const entries = await listTree(repository, { tree: tree.hash, recursive: true });
  if (entries === undefined || entries.length > maxFiles) {
    throw new Problem(
      400,
      `${shown} has more than ${maxFiles} files. Remove files that the tool does not need.`,
    );
  }
  for (const entry of entries) requirePlain(entry);
  const bytes = entries.reduce((sum, { size = 0 }) => sum + size, 0);
  if (bytes > project.maxBytes) {
    throw new Problem(
      400,
      `${shown} has ${bytes} bytes, more than the limit of ${project.maxBytes}. Remove files that the tool does not need.`,
    );
  }
  return await readFiles(repository, { entries, maxBytes: project.maxBytes });
}

function requirePlain({ type, path }: ListedEntry): void {
  if (type === "file") return;
  const kind = type === "symlink" ? "a symbolic link" : "a submodule";
  throw new Problem(
    400,
    `${toShownName(path)} is ${kind}. A project can only have plain files. Replace it by a copy of the file.`,
  );
}

async function readFiles(
  repository: RepositoryContext,
  listed: { readonly entries: readonly ListedEntry[]; readonly maxBytes: number },
): Promise<ProjectTree> {
  const { entries, maxBytes } = listed;
  const files = new Map<string, Uint8Array>();
  const reading = repository.git.start(
    [`--git-dir=${repository.path}`, "cat-file", "--buffer", "--batch"],
    {
      signal: repository.signal,
    },
  );
  reading.stdin.end(entries.map(({ hash }) => `${hash}\n`).join(""));
  // Objects arrive in the order of the requests.
  const expected = entries.values();
  for await (const { content } of readObjects(reading.stdout, { maxBytes })) {
    const entry = expected.next().value;
    // A copy, because a slice would keep the whole chunk in memory.
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
