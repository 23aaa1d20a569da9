import type { DialectAlias } from "../dialect.ts";

const maxFileSize = 65_536;

/** `Read`: lines with their numbers, a listing, or an image. */
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
  // Room for an image; text has the dialect's limit.
  maxOutput: { bytes: 8 * 1024 * 1024 },
  toData: (data) => {
    const found = data as ReadData;
    if (found.type === "image") {
      return { type: "image", media_type: found.media_type, data: found.data };
    }
    return found.type === "directory" ? found.content : found.content.replaceAll(lineEnd, "$1");
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
  readonly media_type?: string;
  readonly data?: string;
}

// Space at the end of a line is not shown; what stands between number and text is.
const lineEnd = /^(\d+: |.*?\S)\s*?$/gmu;
