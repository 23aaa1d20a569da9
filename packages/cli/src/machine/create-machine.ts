import type { MachineService } from "@haft/platform/internal";
import type { Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { createSessionChanges } from "./change-session.ts";
import { createFeed } from "./create-feed.ts";
import { openMachineRecords } from "./machine-records.ts";
import { createCallPages } from "./show-calls.ts";
import { createCostPages } from "./show-cost.ts";
import { createRulePages } from "./show-rules.ts";
import { createSessionPages } from "./show-sessions.ts";
import { createTimelinePages } from "./show-timeline.ts";

/** The service, and the records that it has open. */
export interface OpenMachine {
  readonly service: MachineService;
  close(): void;
}

/** Opens what agents did on this machine, for the API of a server with these options. */
export async function openMachine(options: CommonOptions, io: Io): Promise<OpenMachine> {
  const records = await openMachineRecords(options, io);
  // Most of the work of the first request is done before it comes. If it fails, the request says why.
  records.index().catch(() => {});
  return {
    close: records.close,
    service: {
      ...createSessionPages(records),
      ...createCallPages(records),
      ...createTimelinePages(records),
      ...createSessionChanges(records),
      ...createFeed(records),
      ...createRulePages(records),
      ...createCostPages(records),
    },
  };
}
