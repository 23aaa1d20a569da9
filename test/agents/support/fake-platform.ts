// The fake platform belongs to the tests of the agent package, which exports no such thing.
// biome-ignore-start lint/style/noRestrictedImports: a server for tests is no part of a package
export {
  idOf,
  startFakePlatform,
} from "../../../packages/agent/src/states/test-support/fake-platform.ts";
// biome-ignore-end lint/style/noRestrictedImports: a server for tests is no part of a package
