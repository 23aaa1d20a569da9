import type { CatalogEntry } from "@haft/contract";
import { createTestRuntime } from "@haft/contract/testing";
import { toolSearch as tool } from "@haft/tools";
import type { Line } from "../line.ts";
import { timeInTurns } from "../measure.ts";

const size = 2_000;
const searches = 50;
const verbs = ["list", "create", "delete", "update", "search", "export", "archive", "merge"];
const things = ["issue", "invoice", "deployment", "calendar event", "customer", "branch", "alert"];

/** Finding tools among many, once they are known. */
export const toolSearch: Line = {
  name: "tool-search",
  run: async () => {
    const catalog = plantCatalog();
    const runtime = createTestRuntime({ tools: { list: () => catalog, show: () => {} } });
    const search = async (): Promise<void> => {
      for (let made = 0; made < searches; made++) {
        const query = `${verbs[made % verbs.length]} a ${things[made % things.length]} of server ${made}`;
        await tool.execute({ query }, runtime);
      }
    };
    const [timing] = await timeInTurns(
      [{ name: `tool_search over ${size} tools`, repeats: searches, run: search }],
      20,
    );
    const medianMs = timing?.medianMs ?? Number.NaN;
    return [
      {
        line: `tool_search over ${size} tools`,
        values: [{ name: "one search, warm", value: medianMs * 1000 }],
        unit: "µs",
        figure: medianMs,
        meaning: "ms",
        goal: 2,
      },
    ];
  },
};

function plantCatalog(): readonly CatalogEntry[] {
  return Array.from({ length: size }, (_, index) => {
    const verb = verbs[index % verbs.length] as string;
    const thing = things[index % things.length] as string;
    return {
      name: `mcp__server${index % 40}__${verb}_${thing.replace(" ", "_")}_${index}`,
      description: `Will ${verb} one ${thing} on server ${index % 40}, with its owner, state and history number ${index}. Not for other things.`,
      shown: false,
    };
  });
}
