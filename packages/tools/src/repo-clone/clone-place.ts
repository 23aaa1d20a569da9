import { type Runtime, ToolError } from "@haft/contract";

/** A place where a repository can be put. */
export interface ClonePlace {
  readonly path: string;
  /** Makes the directory, unless an empty one is there. */
  make(): Promise<void>;
  /** Takes back what was made of it; false if something could not be removed. */
  discard(): Promise<boolean>;
}

/** Makes sure that a directory can be cloned into: nothing is there, or nothing is in it. */
export async function findClonePlace(directory: string, runtime: Runtime): Promise<ClonePlace> {
  const { fs } = runtime;
  if (directory.split("/").includes("..")) {
    throw new ToolError(
      "invalid-arguments",
      `directory: ${directory} has a component "..". Say where it leads instead.`,
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

// git takes its own things away when it fails, but not when it is killed.
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
