/** What a process of ours needs of the environment: where things are, and nothing that is secret. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const { HOME, TMPDIR, NODE_COMPILE_CACHE, PATH = "" } = process.env;
  return { HOME, TMPDIR, NODE_COMPILE_CACHE, PATH: `${PATH}:/usr/local/bin:/usr/bin:/bin` };
}
