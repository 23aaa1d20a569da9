import { useEffect, useState } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { useSession } from "../../api/session.ts";
import { useSimulation } from "../../api/use-simulation.ts";
import { PeriodSelect } from "../../ui/period-select.tsx";
import { SimulationView } from "../../ui/simulation-view.tsx";

const periods = { "7": "Last 7 days", "30": "Last 30 days", "90": "Last 90 days" } as const;
const maxExamples = 100;

/** A form for a rule, and what it would have changed for recorded calls. Nothing is stored. */
export function SimulatePart() {
  const { organization } = useSession();
  const address = useAddress();
  const simulation = useSimulation(organization);
  const [rule, setRule] = useState(address.text("rule"));
  const days = address.text("days") || "30";
  const workspace = address.text("workspace");
  const start = (text: string): void => {
    if (text.trim() === "") return;
    simulation.start({
      rule: text.trim(),
      days: Number(days),
      limit: maxExamples,
      ...(workspace !== "" && { workspace }),
    });
  };
  // A link with a rule shows its outcome, and another time or workspace a new one.
  useEffect(() => start(address.text("rule")), [days, workspace]);
  return (
    <>
      <form
        class="form rule-form"
        onSubmit={(event) => {
          event.preventDefault();
          address.change({ rule });
          start(rule);
        }}
      >
        <label>
          Rule
          <input
            class="rule-line"
            value={rule}
            autocomplete="off"
            spellcheck={false}
            placeholder="bash npm run build allow"
            onInput={(event) => setRule(event.currentTarget.value)}
          />
          <span class="hint">
            Permission, pattern, and allow, ask or deny. Nothing is stored: recorded calls are
            judged with and without it.
          </span>
        </label>
        <div class="inline">
          <PeriodSelect periods={periods} days={days} />
          <button type="submit" class="primary" disabled={simulation.isRunning}>
            Simulate
          </button>
        </div>
      </form>
      <SimulationView simulation={simulation} />
    </>
  );
}
