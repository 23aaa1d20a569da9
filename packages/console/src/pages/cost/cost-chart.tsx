import { useMemo } from "preact/hooks";
import { useAddress } from "../../address.ts";
import type { MachineCost } from "../../api/machine.ts";
import { VolumeChart } from "../../ui/lazy.tsx";
import { formatMoney } from "./group-cost.ts";

const dayMs = 86_400_000;

/** Tokens or money of each day as a chart, and the same as a table. */
export function CostChart({ cost }: { cost: MachineCost }) {
  const address = useAddress();
  const isMoney = address.text("show") === "money";
  const { from, days } = useMemo(() => sumByDay(cost), [cost]);
  const series = useMemo(
    () =>
      isMoney
        ? [{ label: "Money", color: "--chart-good", values: days.map(({ money }) => money) }]
        : [
            { label: "Input tokens", color: "--chart-good", values: days.map((day) => day.input) },
            {
              label: "Output tokens",
              color: "--chart-more",
              values: days.map((day) => day.output),
            },
          ],
    [days, isMoney],
  );
  if (cost.requests.length === 0) return null;
  return (
    <figure class="volume">
      <figcaption>
        <fieldset class="segments" aria-label="Show">
          {(["tokens", "money"] as const).map((each) => (
            <button
              type="button"
              class="small"
              key={each}
              aria-pressed={(each === "money") === isMoney}
              onClick={() => address.change({ show: each === "money" ? "money" : "" })}
            >
              {each === "money" ? "Money" : "Tokens"}
            </button>
          ))}
        </fieldset>
        {!isMoney && (
          <span class="legend quiet">
            <i data-series="input" /> input <i data-series="output" /> output
          </span>
        )}
        <span class="quiet">per day, UTC</span>
        <details>
          <summary>As a table</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col" class="number">
                  Input
                </th>
                <th scope="col" class="number">
                  Output
                </th>
                <th scope="col" class="number">
                  Money
                </th>
              </tr>
            </thead>
            <tbody>
              {days
                .filter(({ input, output }) => input + output > 0)
                .map(({ day, input, output, money }) => (
                  <tr key={day}>
                    <td>{day}</td>
                    <td class="number">{input.toLocaleString("en")}</td>
                    <td class="number">{output.toLocaleString("en")}</td>
                    <td class="number">{formatMoney(money)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </details>
      </figcaption>
      <VolumeChart from={from} bucketMs={dayMs} series={series} hasFractions={isMoney} />
    </figure>
  );
}

interface DaySum {
  readonly day: string;
  readonly input: number;
  readonly output: number;
  readonly money: number;
}

/** Every day of the period, those without requests too. */
function sumByDay({ since, until, requests }: MachineCost): { from: number; days: DaySum[] } {
  const from = Math.floor(Date.parse(since) / dayMs) * dayMs;
  const count = Math.ceil((Date.parse(until) - from) / dayMs);
  const byDay = Map.groupBy(requests, ({ day }) => day);
  const days = Array.from({ length: count }, (_, index) => {
    const day = new Date(from + index * dayMs).toISOString().slice(0, 10);
    const own = byDay.get(day) ?? [];
    return {
      day,
      input: own.reduce((sum, row) => sum + row.input_tokens, 0),
      output: own.reduce((sum, row) => sum + row.output_tokens, 0),
      money: own.reduce((sum, row) => sum + (row.cost ?? 0), 0),
    };
  });
  return { from, days };
}
