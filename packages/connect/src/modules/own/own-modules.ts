import type { Tool } from "@haft/contract";
import { limitFiles } from "./limit-files.ts";
import type { OwnModule } from "./own-module.ts";
import { toPathPatterns } from "./path-patterns.ts";
import { readNumber, readTexts } from "./read-config.ts";

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
    configure: (config, place) => {
      const maxSize = readNumber(config, "max_size");
      const allowed = readTexts(config, "allowed_paths") ?? readTexts(config, "allowed_read_paths");
      const read = toPathPatterns(allowed, place);
      const write = toPathPatterns(readTexts(config, "allowed_write_paths"), place) ?? read;
      return (tool) => {
        const bounded = boundPaths(tool, { read, write });
        return maxSize === undefined ? bounded : limitFiles(bounded, maxSize);
      };
    },
  },
  "tool-search": {
    tools: ["glob", "grep"],
    keys: ["allowed_paths"],
    configure: (config, place) => {
      const read = toPathPatterns(readTexts(config, "allowed_paths"), place);
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
      // A search goes to whoever searches, whatever pages may be read.
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
      return tool.execute({ ...(args as object), timeout_ms: Math.min(asked, limitMs) }, runtime);
    },
  };
}
