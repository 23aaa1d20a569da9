import type { Warn } from "../tool-source.ts";
import type { PlatformApi } from "./platform-api.ts";
import type { ResolvedSpec } from "./to-published-tool.ts";
import type { ToolCallSpec } from "./tool-call-spec.ts";

/** Finds the tool and the version of each spec. Warns about specs that have none. */
export async function resolveSpecs(
  specs: readonly ToolCallSpec[],
  api: PlatformApi,
  warn: Warn,
): Promise<ReadonlyMap<ToolCallSpec, ResolvedSpec>> {
  const ids = [...new Set(specs.map(({ tool_id }) => tool_id))];
  const tools = new Map((await api.findTools(ids)).map((tool) => [tool.id, tool]));
  const resolved = await Promise.all(
    specs.map(async (spec): Promise<readonly [ToolCallSpec, ResolvedSpec][]> => {
      const { tool_id: id, version_constraint: constraint } = spec;
      const tool = tools.get(id);
      if (tool === undefined || tool.deprecated) {
        const why = tool === undefined ? "does not exist" : "is deprecated";
        warn(`published: the tool ${tool?.name ?? id} ${why}, so it is left out.`);
        return [];
      }
      const version = await api.findVersion(id, constraint);
      if (version !== undefined) return [[spec, { spec, tool, version }]];
      const wanted = constraint === undefined ? "" : ` that matches ${constraint}`;
      warn(`published: ${tool.name} has no version${wanted}, so it is left out.`);
      return [];
    }),
  );
  return new Map(resolved.flat());
}
