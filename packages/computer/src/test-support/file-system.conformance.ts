import { describeChanging } from "./changing.conformance.ts";
import { describeHistory } from "./history.conformance.ts";
import type { CreateComputer } from "./open-workspace.ts";
import { describeReading } from "./reading.conformance.ts";
import { describeScope } from "./scope.conformance.ts";
import { describeSplicing } from "./splicing.conformance.ts";
import { describeWriting } from "./writing.conformance.ts";

/** What the files of every computer do alike. */
export function describeFileSystem(surface: string, create: CreateComputer): void {
  describeReading(surface, create);
  describeWriting(surface, create);
  describeSplicing(surface, create);
  describeChanging(surface, create);
  describeHistory(surface, create);
  describeScope(surface, create);
}
