import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { describeFileSystem } from "../test-support/file-system.conformance.ts";
import { portablePinning } from "./portable-pinning.ts";

describeFileSystem("disk", (files) => createDiskWorkspace(files).computer);

describeFileSystem(
  "disk without /proc",
  (files) => createDiskWorkspace(files, portablePinning).computer,
);
