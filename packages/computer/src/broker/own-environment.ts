import { delimiter, isAbsolute } from "node:path";

/** The environment variables that our own processes need: paths, and nothing secret. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const { HOME, TMPDIR, NODE_COMPILE_CACHE, PATH = "" } = process.env;
  // Programs that it starts by name run outside any sandbox, and npx puts project directories, which
  // commands can write to, on the PATH.
  const others = PATH.split(delimiter).filter(
    (directory) => isAbsolute(directory) && !directory.includes("/node_modules/"),
  );
  const path = ["/usr/local/bin", "/usr/bin", "/bin", ...others].join(delimiter);
  return { HOME, TMPDIR, NODE_COMPILE_CACHE, PATH: path };
}
