import { runMain } from "../../../main.ts";

// The program as it is, from its sources, for tests that need a process of their own.
await runMain();
