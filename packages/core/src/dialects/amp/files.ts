import type { DialectAlias } from "../dialect.ts";

const maxFileSize = 65_536;

/** `Read`: numbered lines, a directory listing or an image. */
export const read: DialectAlias = {
  name: "Read",
  tool: "read",
  settings: {
    file_bytes: maxFileSize,
    default_lines: 500,
    most_lines: 2_000,
    line_bytes: 4_096,
    past_end: "empty",
  },
  // Large enough for an image; text has the dialect's limit.
  maxOutput: { bytes: 8 * 1024 * 1024 },
  toData: (data) => {
    const found = data as ReadData;
    if (found.type === "image") {
      return { type: "image", media_type: found.media_type, data: found.data };
    }
    return found.type === "directory" ? listNames(found) : found.content.replaceAll(lineEnd, "$1");
  },
  toErrorText: ({ code, message, absolutePath }) => {
    switch (code) {
      case "not-found":
        return `ENOENT: no such file or directory '${absolutePath ?? ""}'`;
      case "secret-file":
        return "Refusing to read env file. Reading secrets is not permitted.";
      case "binary":
        return "File appears to be binary and cannot be displayed as text.";
      case "too-large":
        return `File content exceeds maximum allowed size (${maxFileSize} bytes)`;
      default:
        return message;
    }
  },
};

interface ReadData {
  readonly type: "file" | "directory" | "image";
  readonly content: string;
  readonly next_offset?: number;
  readonly total_lines?: number;
  readonly media_type?: string;
  readonly data?: string;
}

function listNames({ content, next_offset: next, total_lines: total = 0 }: ReadData): string {
  if (next === undefined) return content;
  const rest = `[${total - next + 1} more entries are not shown. Continue with read_range [${next}, ${total}].]`;
  return content === "" ? rest : `${content}\n${rest}`;
}

// Trailing space is removed, but not the space between number and text.
const lineEnd = /^(\d+: |.*?\S)\s*?$/gmu;

/** `create_file`: creates or overwrites a file. */
export const createFile: DialectAlias = {
  name: "create_file",
  tool: "write",
  toData: (data) => {
    const { path, created, guidance } = data as WriteData;
    const message = `Successfully ${created ? "created" : "overwrote"} file ${path}`;
    return guidance === undefined ? message : { message, discoveredGuidanceFiles: guidance };
  },
};

interface WriteData {
  readonly path: string;
  readonly created: boolean;
  readonly guidance?: readonly string[];
}

/** `edit_file`: replaces text in a file. */
export const editFile: DialectAlias = {
  name: "edit_file",
  tool: "edit",
  remark: "message",
  toData: (data) => {
    const { diff, line_range, guidance } = data as EditData;
    return {
      diff,
      lineRange: line_range,
      ...(guidance !== undefined && { discoveredGuidanceFiles: guidance }),
    };
  },
  toErrorText: ({ code, message, details }) => {
    if (code === "not-found") return "file not found. Cannot update a file that doesn't exist.";
    switch (details.reason) {
      case "no-match":
        return "Could not find exact match for old_str";
      case "ambiguous":
        return `found multiple matches for edit (${details.count} occurrences). Use replace_all or provide more context.`;
      case "same":
        return "old_str and new_str must be different";
      default:
        return message;
    }
  },
};

interface EditData {
  readonly diff: string;
  readonly line_range: readonly [number, number];
  readonly guidance?: readonly string[];
}
