import { type RuntimeSession, ToolError } from "@haft/contract";
import { directoriesAbove } from "./directories-above.ts";

/** Throws for a path outside the workspace, even if a tool may read it. */
export function requireInside(path: string, { roots }: Pick<RuntimeSession, "roots">): void {
  if (directoriesAbove(`${path}/x`, roots).length > 0) return;
  throw new ToolError(
    "out-of-scope",
    `${path} is outside the workspace ${roots.join(", ")}. Use a path inside it.`,
    { absolutePath: path },
  );
}
