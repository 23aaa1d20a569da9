export { createTestRuntime, type TestRuntime } from "./create-test-runtime.ts";
export { describeToolContract, type TestRunner } from "./describe-tool-contract.ts";
export { MockCoordinator } from "./mock-coordinator.ts";
export { MockTool, type MockToolOptions } from "./mock-tool.ts";
export type { ToolExample } from "./tool-example.ts";
