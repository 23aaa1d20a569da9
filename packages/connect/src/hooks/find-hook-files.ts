import { join } from "node:path";
import type { HookFormatName } from "./hook-file.ts";

/** Returns where an agent keeps its hooks: the person's own files, then those of the workspace. */
export function listHookPlaces(
  format: HookFormatName,
  { workspace, home, environment }: HookPlaces,
): readonly string[] {
  switch (format) {
    case "claude":
      return [
        join(environment.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json"),
        join(workspace, ".claude", "settings.json"),
        join(workspace, ".claude", "settings.local.json"),
      ];
    case "codex":
      return [environment.CODEX_HOME || join(home, ".codex"), join(workspace, ".codex")].flatMap(
        (directory) => [join(directory, "hooks.json"), join(directory, "config.toml")],
      );
    case "gemini":
      return [home, workspace].map((directory) => join(directory, ".gemini", "settings.json"));
  }
}

interface HookPlaces {
  readonly workspace: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
