import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Place } from "./open-place.ts";
import { haftCommand } from "./start-haft.ts";

/** A message between client and agent. */
export interface WireMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>> & { readonly update?: Update };
  readonly result?: Readonly<Record<string, unknown>>;
}

/** What an agent tells a client of a session. */
export type Update = Readonly<Record<string, unknown>> & { readonly sessionUpdate: string };

/** How a run of acpx went. */
export interface AcpxEnd {
  readonly code: number | null;
  /** All that went over the wire, both ways, with `--format json`. */
  readonly messages: readonly WireMessage[];
  readonly stdout: string;
  readonly stderr: string;
  /** What was asked or told by this method. */
  paramsOf(method: string): readonly Readonly<Record<string, unknown>>[];
  /** The updates of this kind. */
  updatesOf(kind: string): readonly Update[];
  /** What a result has at this field. */
  resultWith(field: string): unknown;
}

/** What acpx and `haft acp` get beside what they need. */
export interface AcpxArguments {
  readonly client: readonly string[];
  readonly agent?: readonly string[];
}

const acpx = join(import.meta.dirname, "../../../node_modules/.bin/acpx");

/** Has acpx, a real headless client, drive `haft acp` in a place. */
export async function runAcpx(
  place: Place,
  { client, agent = [] }: AcpxArguments,
): Promise<AcpxEnd> {
  const { workspace, environment, modelOptions } = place;
  const command = [...haftCommand, "acp", ...modelOptions(), ...agent];
  const line = command.map((word) => `'${word}'`).join(" ");
  const args = [acpx, "--agent", line, "--cwd", workspace, ...client];
  const child = spawn(process.execPath, args, {
    cwd: workspace,
    env: { ...environment, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  const messages = stdout
    .split("\n")
    .filter((text) => text.startsWith("{"))
    .map((text) => JSON.parse(text) as WireMessage);
  return {
    code,
    messages,
    stdout,
    stderr,
    paramsOf: (method) =>
      messages.flatMap((one) =>
        one.method === method && one.params !== undefined ? [one.params] : [],
      ),
    updatesOf: (kind) =>
      messages
        .flatMap(({ params }) => params?.update ?? [])
        .filter(({ sessionUpdate }) => sessionUpdate === kind),
    // Both sides count their requests from 0 on: a result is known by what is in it.
    resultWith: (field) =>
      messages.find(({ result }) => result?.[field] !== undefined)?.result?.[field],
  };
}
