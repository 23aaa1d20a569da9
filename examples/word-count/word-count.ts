import { type Coordinator, defineTool, ToolError } from "@haft/contract";

/** Counts the lines, words and characters of a text file. */
export const wordCount = defineTool({
  id: "word_count",
  description:
    "Counts the lines, words and characters of a text file. Use it to judge the size of a text; to see the text itself use read.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "The file." },
    },
    required: ["path"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      lines: { type: "integer" },
      words: { type: "integer" },
      characters: { type: "integer" },
    },
    required: ["lines", "words", "characters"],
    additionalProperties: false,
  },
  // What it may touch at all, and what one call touches: rules and the scheduler go by it.
  requires: { fs: { read: ["{workspace}/**"] } },
  kind: "read",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "read" }] },
  async execute({ path }, { fs }) {
    const { content } = await fs.load(path);
    const text = new TextDecoder().decode(content);
    if (text.includes("\0")) {
      throw new ToolError("binary", `${path} is not a text. Give the path of a text file.`);
    }
    const lines = text.split("\n");
    return {
      lines: text.endsWith("\n") ? lines.length - 1 : lines.length,
      words: text.split(/\s+/).filter((word) => word !== "").length,
      characters: [...text].length,
    };
  },
});

/** Hangs the tool on a host that mounts this package from a plan. */
export async function mount(coordinator: Coordinator): Promise<void> {
  await coordinator.mount("tools", wordCount);
}
