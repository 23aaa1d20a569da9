import type { MachineTimeline } from "../../api/machine-sessions.ts";
import { showLine } from "../../ui/show.ts";
import { Time } from "../../ui/time.tsx";

/** A call that has not ended. */
export function RunningRow({ call }: { call: MachineTimeline["running"][number] }) {
  return (
    <div class="call" data-state="running">
      <p class="call-line">
        <span class="dot" role="img" aria-label="running" />
        <strong>{showLine(call.name, 60)}</strong>
        <span class="quiet">
          runs, asked for <Time at={call.started_at} />
        </span>
      </p>
    </div>
  );
}
