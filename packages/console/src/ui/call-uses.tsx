import type { CallChecked } from "../api/machine.ts";
import { Badge } from "./notes.tsx";
import { showLine } from "./show.ts";

const kinds = { file: "File", host: "Host", command: "Command", name: "Uses" } as const;

/** What a call touches: files, hosts, commands and what these are known to do. */
export function CallUses({ uses }: { uses: CallChecked["uses"] }) {
  if (uses.length === 0) return null;
  return (
    <ul class="uses" aria-label="What the call touches">
      {uses.map(({ type, key, mode, effects }) => (
        <li key={`${type} ${mode} ${key}`}>
          <span class="quiet">{kinds[type]}</span> <code>{showLine(key, 500)}</code>{" "}
          {type === "file" && <Badge tone={mode === "write" ? "warn" : "neutral"}>{mode}</Badge>}
          {effects.map((effect) => (
            <Badge key={effect} tone={effect === "reads" ? "neutral" : "warn"}>
              {effectNames[effect] ?? showLine(effect, 20)}
            </Badge>
          ))}
        </li>
      ))}
    </ul>
  );
}

const effectNames: Readonly<Record<string, string>> = {
  reads: "reads files",
  writes: "writes files",
  deletes: "deletes files",
  runs: "runs programs",
  net: "uses the network",
  unknown: "unknown effects",
};
