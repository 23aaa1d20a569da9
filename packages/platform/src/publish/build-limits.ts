/** How much a build may take. */
export interface BuildLimits {
  /** Builds at a time; others wait. */
  readonly mostAtOnce: number;
  /** To install what a project depends on. */
  readonly installMs: number;
  /** To check the types. */
  readonly typeCheckMs: number;
  /** For all of a project's tests. */
  readonly testMs: number;
  /** To make one file of it. */
  readonly bundleMs: number;
  /** For the finished tool to load. */
  readonly loadMs: number;
  /** What a step may print before it is stopped. */
  readonly mostPrintedBytes: number;
}

/** What holds unless an operator says otherwise. */
export const defaultBuildLimits: BuildLimits = {
  mostAtOnce: 2,
  installMs: 180_000,
  typeCheckMs: 120_000,
  testMs: 120_000,
  bundleMs: 60_000,
  loadMs: 20_000,
  mostPrintedBytes: 20_000_000,
};
