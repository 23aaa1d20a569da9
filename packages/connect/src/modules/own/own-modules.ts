import { join, resolve } from "node:path";
import { toRealPath } from "@haft/computer/internal";
import { type Tool, ToolError } from "@haft/contract";
import { escapeGlob } from "@haft/contract/internal";
import type { ModuleConfig } from "../plan/mount-plan.ts";
import { limitFiles } from "./limit-files.ts";
import type { OwnModule, OwnModuleContext } from "./own-module.ts";

const asItIs = (tool: Tool): Tool => tool;

/** Haft's own modules, by the names that plans give them. */
export const ownModules: Readonly<Record<string, OwnModule>> = {
  "tool-filesystem": {
    tools: [
      "read",
      "write",
      "edit",
      "multi_edit",
      "apply_patch",
      "glob",
      "grep",
      "undo_edit",
      "delete_file",
      "move_file",
      "format_file",
      "repo_overview",
    ],
    keys: ["max_size", "allowed_paths", "allowed_read_paths", "allowed_write_paths"],
    configure: (config, context) => {
      const maxSize = readNumber(config, "max_size");
      const allowed = readTexts(config, "allowed_paths") ?? readTexts(config, "allowed_read_paths");
      const read = toPathPatterns(allowed, context);
      const write = toPathPatterns(readTexts(config, "allowed_write_paths"), context) ?? read;
      return (tool) => {
        const bounded = boundPaths(tool, { read, write });
        return maxSize === undefined ? bounded : limitFiles(bounded, maxSize);
      };
    },
  },
  "tool-search": {
    tools: ["glob", "grep"],
    keys: ["allowed_paths"],
    configure: (config, context) => {
      const read = toPathPatterns(readTexts(config, "allowed_paths"), context);
      return (tool) => boundPaths(tool, { read, write: undefined });
    },
  },
  "tool-bash": {
    tools: ["bash", "job_start", "job_output", "job_stop", "job_list", "check"],
    keys: ["timeout", "timeout_ms", "allowed_commands"],
    elsewhere: {
      denied_commands: "Deny commands by rules: haft permissions add 'bash rm deny'",
    },
    configure: (config) => {
      const seconds = readNumber(config, "timeout");
      const limit = readNumber(config, "timeout_ms") ?? (seconds && seconds * 1000);
      const shell = readTexts(config, "allowed_commands")?.map((cmd) => ({ cmd }));
      return (tool) => {
        const isLimited = shell !== undefined && tool.requires.shell !== undefined;
        const bounded = isLimited ? { ...tool, requires: { ...tool.requires, shell } } : tool;
        return limit !== undefined && tool.id === "bash" ? limitTime(bounded, limit) : bounded;
      };
    },
  },
  "tool-web": {
    tools: ["web_fetch", "web_search"],
    keys: ["allowed_hosts"],
    configure: (config) => {
      const hosts = readTexts(config, "allowed_hosts");
      // A search goes to the search provider, whatever pages may be read.
      return (tool) =>
        hosts === undefined || tool.id !== "web_fetch"
          ? tool
          : { ...tool, requires: { ...tool.requires, net: { hosts } } };
    },
  },
  "tool-todo": { tools: ["todo"], keys: [], configure: () => asItIs },
  "tool-task": {
    tools: ["task", "task_output", "task_stop"],
    keys: [],
    configure: () => asItIs,
  },
};

function boundPaths(
  tool: Tool,
  {
    read,
    write,
  }: {
    readonly read: readonly string[] | undefined;
    readonly write: readonly string[] | undefined;
  },
): Tool {
  const { fs } = tool.requires;
  if (fs === undefined) return tool;
  const bounds = {
    ...(fs.read && { read: read ?? fs.read }),
    ...(fs.write && { write: write ?? fs.write }),
  };
  return { ...tool, requires: { ...tool.requires, fs: bounds } };
}

function limitTime(tool: Tool, limitMs: number): Tool {
  return {
    ...tool,
    execute: (args, runtime) => {
      const { timeout_ms: asked = limitMs } = args as { timeout_ms?: number };
      const limits = { timeout_ms: Math.min(asked, limitMs), on_timeout: "stop" };
      return tool.execute({ ...(args as object), ...limits }, runtime);
    },
  };
}

/** Reads a number. Variables make numbers strings, so those are accepted too. */
function readNumber(config: ModuleConfig, key: string): number | undefined {
  const value = config[key];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && number > 0 && Number.isFinite(number)) return number;
  throw new ToolError(
    "invalid-arguments",
    `${key} is ${JSON.stringify(value)}, which is not a number above 0.`,
  );
}

/** Reads a list of strings. A single string counts as a list. */
function readTexts(config: ModuleConfig, key: string): readonly string[] | undefined {
  const value = config[key];
  if (value === undefined || value === null) return undefined;
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  if (texts.every((text): text is string => typeof text === "string" && text !== "")) return texts;
  throw new ToolError(
    "invalid-arguments",
    `${key} is ${JSON.stringify(value)}, which is not a list of strings.`,
  );
}

/** Converts paths of a config to patterns: a path and everything below it, or a glob unchanged. */
function toPathPatterns(
  paths: readonly string[] | undefined,
  context: OwnModuleContext,
): readonly string[] | undefined {
  return paths?.flatMap((path) => (/[*?]/u.test(path) ? [path] : toTree(path, context)));
}

function toTree(path: string, { roots, home }: OwnModuleContext): readonly string[] {
  const whole =
    path === "~" || path.startsWith("~/") ? join(requireHome(home), path.slice(1)) : path;
  // Grants are compared with the real path of a file, not with a link to it.
  const landing = escapeGlob(toRealPath(resolve(roots[0] ?? "/", whole)));
  return landing === "/" ? ["/**"] : [landing, `${landing}/**`];
}

function requireHome(home: string | undefined): string {
  if (home !== undefined) return home;
  throw new ToolError("invalid-arguments", "A path starts with ~, but there is no home directory.");
}
