import { type Runtime, ToolError } from "@haft/contract";

/** A directory into which a repository can be cloned. */
export interface CloneTarget {
  readonly path: string;
  /** Creates the directory, unless an empty one exists. */
  make(): Promise<void>;
  /** Removes what was created. Returns false if something is left. */
  discard(): Promise<boolean>;
}

/** Checks that a directory is empty or does not exist. */
export async function findCloneTarget(directory: string, runtime: Runtime): Promise<CloneTarget> {
  const { fs } = runtime;
  if (directory.split("/").includes("..")) {
    throw new ToolError(
      "invalid-arguments",
      `directory: ${directory} contains "..". Give the resolved path instead.`,
    );
  }
  const path = fs.resolve(directory);
  const kind = await fs.stat(path).then((found) => found.kind, absent);
  if (kind === "directory" && (await fs.list(path)).length > 0)
    throw occupied(path, "is not empty");
  if (kind === "file" || kind === "other") throw occupied(path, "is a file");
  let made = false;
  return {
    path,
    make: async () => {
      if (kind === "directory") return;
      await fs.change([{ path, to: { kind: "directory" }, expect: "absent", parents: true }]);
      made = true;
    },
    discard: () => discard(path, made, runtime),
  };
}

function absent(error: unknown): undefined {
  if (ToolError.isInstance(error) && error.code === "not-found") return undefined;
  throw error;
}

function occupied(path: string, how: string): ToolError {
  return new ToolError("conflict", `${path} ${how}. Name another directory to clone into.`, {
    absolutePath: path,
  });
}

// git cleans up if it fails, but not if it is killed.
async function discard(path: string, made: boolean, { fs, shell }: Runtime): Promise<boolean> {
  try {
    const left = await fs.list(path);
    if (left.length > 0) {
      const targets = left.map(({ name }) => `./${name}`);
      await shell.run({ argv: ["rm", "-rf", "--", ...targets], cwd: path, writes: [path] });
    }
    if (made) await fs.remove(path);
    return (
      (
        await fs.stat(path).then(
          () => fs.list(path),
          () => [],
        )
      ).length === 0
    );
  } catch (error) {
    if (ToolError.isInstance(error)) return false;
    throw error;
  }
}
