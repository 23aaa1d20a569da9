import type { CallChecked } from "../api/machine.ts";
import { show, showLine } from "./show.ts";
import { Table } from "./table.tsx";
import { Verdict } from "./verdict.tsx";

const layerNames: Readonly<Record<string, string>> = {
  arguments: "Arguments",
  available: "Tool",
  capability: "Grant",
  manifest: "Rules of the agent",
  session: "Rules of the session",
  project: "Rules of the workspace",
  default: "Default rules",
  watchdog: "Watchdog",
  record: "Record",
  files: "Files",
  network: "Network",
  shell: "Sandbox",
  review: "Review of changes",
  none: "No rule",
};

/** Returns the name of a layer for people. */
export function nameLayer(layer: string): string {
  return layerNames[layer] ?? showLine(layer, 40);
}

/** The verdict of every layer on a call, taken by itself. The one that decides is marked. */
export function LayerTable({ layers, stage }: Pick<CallChecked, "layers" | "stage">) {
  return (
    <Table
      rows={layers}
      keyOf={({ layer }) => layer}
      current={layers.findIndex(({ layer }) => layer === stage)}
      columns={[
        { title: "Layer", cell: ({ layer }) => nameLayer(layer) },
        { title: "Verdict", class: "nowrap", cell: ({ action }) => <Verdict action={action} /> },
        {
          title: "Why",
          class: "reason",
          cell: ({ rule, why }) => (
            <>
              {rule !== null && <code>{showLine(rule, 300)}</code>} {show(why)}
            </>
          ),
        },
      ]}
    />
  );
}
