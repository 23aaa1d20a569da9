import type { DialectAlias } from "../dialect.ts";

/** `edit_file`: replaces text. */
export const editFile: DialectAlias = {
  name: "edit_file",
  tool: "edit",
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
