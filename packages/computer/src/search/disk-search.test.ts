import { portablePinning } from "../disk/portable-pinning.ts";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { describeSearching } from "../test-support/searching.conformance.ts";

describeSearching("disk", (files) => createDiskWorkspace(files).computer);

describeSearching(
  "disk without /proc",
  (files) => createDiskWorkspace(files, portablePinning).computer,
);
