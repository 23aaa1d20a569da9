// The scripted model belongs to the tests of the agent package, which exports no such thing.
// biome-ignore-start lint/style/noRestrictedImports: a server for tests is no part of a package
export {
  call,
  calls,
  type ModelAnswer,
  type ModelRequest,
  type ModelScript,
  type ModelServer,
  type ServedProvider,
  say,
  startModelServer,
} from "../../../packages/agent/src/test-support/model-server/index.ts";
// biome-ignore-end lint/style/noRestrictedImports: a server for tests is no part of a package
