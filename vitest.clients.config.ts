import { defineConfig } from "vitest/config";

// The agents people use, as clients of the built program. Apart from the other tests, because they
// are large, are not ours, and have to be installed first: `npm run test:clients`.
export default defineConfig({
  test: {
    include: ["test/clients/*.clients.ts"],
    // Each is a program of hundreds of megabytes that takes seconds to start.
    testTimeout: 120_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
  },
});
