import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { leastCollection } from "./test/programs/less-collection.ts";
import slowTests from "./test/slow-tests.json" with { type: "json" };

const excluded = [
  // `npm run test:quick` leaves these out. They take more than four seconds each.
  ...(process.env.HAFT_QUICK_TESTS === undefined ? [] : slowTests),
  // `npm run check` leaves these out of one of its two runs, separated by spaces.
  ...(process.env.HAFT_TESTS_OF_OTHER_RUN?.split(" ") ?? []),
];

const packages = fileURLToPath(new URL("./packages/", import.meta.url));
const programs = fileURLToPath(new URL("./test/programs/", import.meta.url));

/** Slow files start first in their project, so that no worker is left alone with one at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isQuick = ({ moduleId }: TestSpecification): number =>
      slowTests.some((slow) => moduleId.endsWith(`/${slow}`)) ? 0 : 1;
    const sorted = await super.sort(files);
    return sorted.sort(
      (one, other) =>
        one.project.name.localeCompare(other.project.name) || isQuick(one) - isQuick(other),
    );
  }
}

// Their files keep nothing from each other, so that they can share a thread and what it has loaded.
const together =
  "packages/{contract,core,computer,tools,connect,agent,platform,cli,haft}/src/**/*.test.ts";

export default defineConfig({
  // Tests run on the sources: nothing has to be built first, and no stale build is tested.
  resolve: {
    alias: [
      { find: /^haft$/, replacement: `${packages}haft/src/index.ts` },
      { find: /^@haft\/([a-z]+)$/, replacement: `${packages}$1/src/index.ts` },
      { find: /^@haft\/([a-z]+)\/internal$/, replacement: `${packages}$1/src/internal.ts` },
      {
        find: /^@haft\/([a-z]+)\/internal\/([a-z-]+)$/,
        replacement: `${packages}$1/src/$2/internal.ts`,
      },
      { find: /^@haft\/([a-z]+)\/([a-z-]+)$/, replacement: `${packages}$1/src/$2/index.ts` },
      // Brokers and other processes of ours run bundled.
      { find: /^\..*\/beside-file\.ts$/, replacement: `${programs}beside-file.ts` },
    ],
  },
  test: {
    globals: true,
    globalSetup: `${programs}bundle-processes.ts`,
    execArgv: leastCollection,
    // Most of them wait for processes: two more than there are processors keep these busy.
    maxWorkers: availableParallelism() + 2,
    // Many tests start real processes, and a busy machine takes its time. A test that takes this long hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 40_000 } },
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: { name: "together", include: [together], exclude: excluded, isolate: false },
      },
      {
        extends: true,
        test: {
          name: "apart",
          include: [
            "packages/*/{src,test}/**/*.test.ts",
            "examples/**/*.test.ts",
            "test/**/*.test.ts",
          ],
          exclude: ["**/node_modules/**", together, ...excluded],
        },
      },
    ],
  },
});
