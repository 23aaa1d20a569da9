import { claude } from "./claude.ts";
import type { McpClient } from "./client.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { zed } from "./zed.ts";

/** Every client whose settings we can write. */
export const mcpClients: readonly McpClient[] = [claude, codex, gemini, opencode, cursor, zed];
