import type { Outsider, WireResult } from "./create-outsider.ts";
import { expectStatus } from "./create-outsider.ts";
import { nodeProject } from "./tool-projects.ts";

/** A published tool that counts how often it ran. */
export interface CountingTool {
  readonly id: string;
  /** Runs it, and gives the answer's status, text and result. */
  run(text: string): Promise<{
    readonly status: number;
    readonly retryAfter: string | null;
    readonly text: string;
    readonly result: (WireResult & { warning?: string; invocation_id?: string }) | undefined;
  }>;
  /** What history says was run, the oldest first. */
  history(): Promise<readonly { readonly id: string; readonly text: string }[]>;
}

interface Page {
  readonly tool_invocations: readonly {
    readonly id: string;
    readonly inputs: { readonly text: string };
  }[];
}

/** Publishes the tool. */
export async function publishCounting(outsider: Outsider): Promise<CountingTool> {
  const code =
    "let n = 0;\nexport const runTool = async ({ toolInput }) => toolInput.text + ' ' + ++n;\n";
  await outsider.push(nodeProject("counting", { reuse: "process" }, code));
  const id = await outsider.createTool("counting");
  await outsider.publish(id, "counting");
  return {
    id,
    run: async (text) => {
      const answer = await outsider.invoke({ id }, [{ input_parameters: { text } }]);
      return {
        status: answer.status,
        retryAfter: answer.headers.get("retry-after"),
        text: answer.text,
        result: answer.body?.invocation_results?.[0],
      };
    },
    history: async () => {
      const page = await outsider.call<Page>("GET", `tool/invocation?tool_id=${id}&limit=100`);
      return expectStatus(page, 200)
        .tool_invocations.map((row) => ({ id: row.id, text: row.inputs.text }))
        .toReversed();
    },
  };
}
