import { createMemoryComputer } from "@haft/computer/memory";
import { describe, expect, it } from "vitest";
import { startSession } from "../test-support/start-session.ts";
import type { TraceSpan } from "../tracing/tracing.ts";

const broken = (): never => {
  throw new Error("broken");
};

describe("traceCalls", () => {
  it.for(["startSpan", "run", "rename", "end"] as const)(
    "does not let tracing that throws in %s affect a call",
    async (failing) => {
      const span: TraceSpan = {
        traceparent: "",
        rename: () => {},
        setAttributes: () => {},
        run: (work) => work(),
        end: () => {},
        ...(failing !== "startSpan" && { [failing]: broken }),
      };
      const warnings: string[] = [];
      const session = startSession(createMemoryComputer(), [], {
        tracing: { startSpan: failing === "startSpan" ? broken : () => span },
      });
      session.on("session:warning", ({ message }) => warnings.push(message));
      const result = await session.call({ id: "one", name: "nothing" });
      expect(result).toMatchObject({ metadata: { error_code: "unknown-tool" } });
      expect(warnings).toEqual(["The call one could not be traced: broken"]);
    },
  );
});
