/** The limits of a build. */
export interface BuildLimits {
  /** Builds at a time. Others wait. */
  readonly maxConcurrent: number;
  /** Time to install the dependencies. */
  readonly installMs: number;
  /** Time to check the types. */
  readonly typeCheckMs: number;
  /** Time for all tests of a project. */
  readonly testMs: number;
  /** Time to bundle. */
  readonly bundleMs: number;
  /** Time for the built tool to load. */
  readonly loadMs: number;
  /** Bytes a step may print before it is stopped. */
  readonly maxPrintedBytes: number;
  /** Bytes and files a step may write in all before it is stopped. */
  readonly maxWrittenBytes: number;
  readonly maxWrittenFiles: number;
}

/** The default limits. */
export const defaultBuildLimits: BuildLimits = {
  maxConcurrent: 2,
  installMs: 180_000,
  typeCheckMs: 120_000,
  testMs: 120_000,
  bundleMs: 60_000,
  loadMs: 20_000,
  maxPrintedBytes: 20_000_000,
  maxWrittenBytes: 2 * 1024 ** 3,
  maxWrittenFiles: 300_000,
};
