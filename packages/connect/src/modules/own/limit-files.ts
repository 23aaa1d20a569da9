import { type FileSystem, type Tool, ToolError } from "@haft/contract";

/** Returns the tool with a size limit on the files that it reads and writes. */
export function limitFiles(tool: Tool, maxSize: number): Tool {
  return {
    ...tool,
    execute: (args, runtime) => {
      const fs = limit(runtime.fs, maxSize);
      return tool.execute(
        args,
        new Proxy(runtime, {
          get: (target, key) => (key === "fs" ? fs : Reflect.get(target, key, target)),
        }),
      );
    },
  };
}

function limit(fs: FileSystem, maxSize: number): FileSystem {
  const requireSmall = (path: string, size: number): void => {
    if (size <= maxSize) return;
    throw new ToolError(
      "too-large",
      `${path} has ${size} bytes; the mount plan allows ${maxSize} (max_size).`,
      { absolutePath: fs.resolve(path) },
    );
  };
  const requireSmallFile = async (path: string): Promise<void> => {
    const { kind, size } = await fs.stat(path);
    if (kind === "file") requireSmall(path, size);
  };
  const isSmallFile = (path: string): Promise<boolean> =>
    requireSmallFile(path).then(
      () => true,
      () => false,
    );
  return {
    resolve: (path) => fs.resolve(path),
    stat: (path) => fs.stat(path),
    read: async (path, window) => {
      await requireSmallFile(path);
      return fs.read(path, window);
    },
    load: async (path) => {
      await requireSmallFile(path);
      return fs.load(path);
    },
    write: async (path, content, options) => {
      requireSmall(path, Buffer.byteLength(content));
      return fs.write(path, content, options);
    },
    splice: async (path, splices, loaded) => {
      const grown = splices.map(({ start, end, bytes }) => bytes.length - (end - start));
      requireSmall(
        path,
        grown.reduce((size, more) => size + more, loaded.content.length),
      );
      return fs.splice(path, splices, loaded);
    },
    list: (path) => fs.list(path),
    remove: (path) => fs.remove(path),
    move: (from, to) => fs.move(from, to),
    change: async (changes) => {
      for (const { path, to } of changes) {
        if (to.kind === "file") requireSmall(path, to.content.length);
      }
      return fs.change(changes);
    },
    findFiles: (query) => fs.findFiles(query),
    findText: async (query) => {
      const found = await fs.findText(query);
      const paths = [...new Set(found.matches.map(({ path }) => path))];
      const small = new Map(
        await Promise.all(paths.map(async (path) => [path, await isSmallFile(path)] as const)),
      );
      return { ...found, matches: found.matches.filter(({ path }) => small.get(path)) };
    },
  };
}
