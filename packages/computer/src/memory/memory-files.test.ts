import { describeFileSystem } from "../test-support/file-system.conformance.ts";
import { createMemoryComputer } from "./memory-computer.ts";

describeFileSystem("memory", (files = {}) => createMemoryComputer({ files }));
