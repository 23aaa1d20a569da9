import type { CallChecked } from "../api/machine.ts";
import { show, showLine } from "./show.ts";
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
    <div class="scroll">
      <table class="layers">
        <thead>
          <tr>
            <th scope="col">Layer</th>
            <th scope="col">Verdict</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {layers.map((each) => (
            <tr key={each.layer} data-current={each.layer === stage}>
              <td>{nameLayer(each.layer)}</td>
              <td>
                <Verdict action={each.action} />
              </td>
              <td class="reason">
                {each.rule !== null && <code>{showLine(each.rule, 300)}</code>} {show(each.why)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
