import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { OpenModel } from "@haft/agent";

/** A model on loopback, in a process of its own. */
export interface BenchModel {
  readonly model: OpenModel;
  readonly baseUrl: string;
  stop(): void;
}

/** Starts the model server of the bench, and opens its model with a real provider package. */
export async function startModel(): Promise<BenchModel> {
  const program = fileURLToPath(new URL("./model-program.ts", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(child.stdout, "data");
  const baseUrl = `http://127.0.0.1:${String(port).trim()}/v1`;
  const provider = createOpenAICompatible({ name: "bench", baseURL: baseUrl });
  return {
    model: {
      name: "openai-compatible/bench",
      model: provider("bench"),
      form: "plain",
      contextTokens: 1_000_000,
    },
    baseUrl,
    stop: () => child.kill(),
  };
}
