import type { DialectAlias } from "../dialect.ts";

/** `create_file`: makes a file or replaces all of it. */
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
