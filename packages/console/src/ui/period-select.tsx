import { useAddress } from "../address.ts";

/** Chooses a number of days. It is kept in the address. */
export function PeriodSelect({
  periods,
  days,
}: {
  /** What each number of days is called. */
  periods: Readonly<Record<string, string>>;
  days: number | string;
}) {
  const address = useAddress();
  return (
    <select
      aria-label="Time"
      value={String(days)}
      onChange={(event) => address.change({ days: event.currentTarget.value })}
    >
      {Object.entries(periods).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
