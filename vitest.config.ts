import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const packages = fileURLToPath(new URL("./packages/", import.meta.url));

// Their files keep nothing from each other, so that they can share a thread and what it has loaded.
const together = "packages/{contract,core,tools,connect,agent,platform,cli}/src/**/*.test.ts";

export default defineConfig({
  // Tests run on the sources: nothing has to be built first, and no stale build is tested.
  resolve: {
    alias: [
      { find: /^@haft\/([a-z]+)$/, replacement: `${packages}$1/src/index.ts` },
      { find: /^@haft\/([a-z]+)\/([a-z-]+)$/, replacement: `${packages}$1/src/$2/index.ts` },
    ],
  },
  test: {
    globals: true,
    // Most of them wait for processes, so that also on two processors two do not get in each other's way.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Many tests start real processes, and a busy machine takes its time.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: { name: "together", include: [together], isolate: false },
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
          exclude: ["**/node_modules/**", together],
          typecheck: {
            enabled: true,
            include: ["packages/*/src/**/*.test-d.ts"],
            tsconfig: "tsconfig.test.json",
            // `npm run check` looks at the types of everything else by itself.
            ignoreSourceErrors: true,
          },
        },
      },
    ],
  },
});
