import { onTestFinished } from "vitest";
import { createHistory } from "../../history/create-history.ts";
import { invocationRoutes } from "../../history/invocation-routes.ts";
import type { Invocation } from "../../history/invocation-schemas.ts";
import { createCallers } from "../../invoke/callers.ts";
import { createInvoker, type InvokeCall, type Invoker } from "../../invoke/create-invoker.ts";
import { makeInput, succeed } from "../../invoke/test-support/open-invoke.ts";
import type { JsonObject } from "../../json.ts";
import type { PlatformParts } from "../../platform-parts.ts";
import type { ToolProgram, ToolRun, ToolRunResult } from "../../runner/runner.ts";
import type { Store } from "../../store/store.ts";
import { insertVersion } from "../../tools/test-support/insert-version.ts";
import { type Caller, openTools } from "../../tools/test-support/open-tools.ts";
import { createVersionResolver } from "../../versions/create-version-resolver.ts";
import { replayRoutes } from "../replay-routes.ts";

/** A tool with history, whose runs are functions of the test's. */
export interface ReplayBench {
  readonly caller: Caller;
  readonly toolId: string;
  /** What was run, the version first. */
  readonly runs: (readonly [string, ToolRun])[];
  /** What the tool does. */
  act: (version: string, run: ToolRun) => ToolRunResult;
  publish(version: string, isCandidate?: boolean): Promise<unknown>;
  /** Invokes the tool with an input and returns the invocation's ID. */
  invoke(
    input: JsonObject,
    more?: { readonly call?: Partial<InvokeCall>; readonly request?: object },
  ): Promise<string>;
  find(id: string): Promise<Invocation>;
  wait(milliseconds: number): void;
}

/** Opens a bench on a store, with the version 1.0.0. One secret of the tool is `hush-hush`. */
export async function openReplay(store: Store): Promise<ReplayBench> {
  const runs: (readonly [string, ToolRun])[] = [];
  let invoker: Invoker | undefined;
  let history: ReturnType<typeof createHistory> | undefined;
  const open = (parts: PlatformParts) => {
    history = createHistory(parts);
    const shared = {
      runner: {
        run: async ({ version }: ToolProgram, run: ToolRun) => {
          runs.push([version, run]);
          return bench.act(version, run);
        },
      },
      versions: createVersionResolver(parts),
      variables: { read: () => ({ values: { KEY: "hush-hush" }, secrets: ["hush-hush"] }) },
      artifacts: { get: async () => new Uint8Array() },
    };
    invoker = createInvoker({
      ...{ now: parts.now, history, callers: createCallers(parts.store) },
      ...shared,
    });
    return [...invocationRoutes(parts), ...replayRoutes({ ...parts, ...shared, invoker })];
  };
  const tools = openTools(store, open);
  onTestFinished(() => history?.close());
  const caller = tools.enter();
  const toolId = await caller.createTool("tool");
  const bench: ReplayBench = {
    ...{ caller, toolId, runs },
    act: () => succeed("ok"),
    publish: (version, isCandidate = false) => {
      const place = { organization: caller.organization, toolId, version };
      return insertVersion(store, place, { candidate: isCandidate ? 1 : 0 });
    },
    invoke: async (input, { call, request } = {}) => {
      let id = "";
      const ready = await (invoker as Invoker).prepare({
        ...{ principal: caller, toolId, version: "latest" },
        request: { inputs: [makeInput({ input_parameters: input, ...request })] },
        ...call,
      });
      await ready.run({
        onBegin: (_index, begun) => {
          id = begun;
        },
      });
      return id;
    },
    find: (id) => caller.get("get-tool-invocation", { params: { invocation_id: id } }),
    wait: tools.wait,
  };
  await bench.publish("1.0.0");
  return bench;
}
