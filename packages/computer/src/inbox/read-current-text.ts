import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { isInside, isPlainObject } from "@haft/contract/internal";
import { readUntrustedFile } from "../disk/read-untrusted-file.ts";
import { isSecretPath } from "../paths/secret-path.ts";
import type { StoredQuestion } from "./inbox-item.ts";

const maxBytes = 256 * 1024;

/**
 * Returns the text that a waiting call of `write` would replace: empty if there is no file, `null` if it is not shown,
 * because it is large, no text, secret or outside the workspace.
 */
export function readCurrentText({
  tool,
  arguments: args,
  workspace,
}: StoredQuestion): string | null {
  if (tool !== "write" || !isPlainObject(args) || typeof args.path !== "string") return null;
  const path = resolve(workspace, args.path);
  if (!isInside(workspace, path) || isSecretPath(path)) return null;
  const read = readUntrustedFile(path, { within: workspace, maxBytes });
  if (read.bytes === undefined) return read.isMissing ? "" : null;
  return isUtf8(read.bytes) ? read.bytes.toString("utf8") : null;
}
