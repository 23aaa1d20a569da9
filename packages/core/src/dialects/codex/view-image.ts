import type { DialectAlias } from "../dialect.ts";
import { filePath } from "../shared/file-path.ts";
import type { ReadData } from "../shared/read-data.ts";

/** `view_image`: shows an image. */
export const viewImage: DialectAlias = {
  name: "view_image",
  tool: "read",
  description: "Shows an image (PNG, JPEG, GIF or WebP up to 5 MB).",
  parameters: {
    type: "object",
    properties: {
      path: filePath,
    },
    required: ["path"],
  },
  toArguments: ({ path }) => ({ path }),
  toData: (data) => {
    const found = data as ReadData;
    if (found.type === "image") return found;
    return `${found.path} is no image but a ${found.type}:\n${found.content}`;
  },
};
