import { ToolError } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { Call } from "./call.ts";
import { untilAborted } from "./until-aborted.ts";

const makeCall = (): Call => new Call("c", { name: "tool" }, { at: 0, monotonic: 0 });
const reason = new ToolError("cancelled", "Enough.");

describe("untilAborted", () => {
  it("gives what was waited for", async () => {
    expect(await untilAborted(makeCall(), Promise.resolve("done"))).toBe("done");
    await expect(untilAborted(makeCall(), Promise.reject(reason))).rejects.toBe(reason);
  });

  it("stops waiting when the call is aborted", async () => {
    const call = makeCall();
    const waiting = untilAborted(call, new Promise(() => {}));
    call.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it("does not wait at all for a call that was aborted before", async () => {
    const call = makeCall();
    call.abort(reason);
    await expect(untilAborted(call, new Promise(() => {}))).rejects.toBe(reason);
  });

  it("ignores how an aborted wait ends", async () => {
    const call = makeCall();
    const late = Promise.withResolvers<void>();
    const waiting = untilAborted(call, late.promise);
    call.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    late.reject(new Error("late"));
  });
});

describe("Call", () => {
  it("keeps the first reason to stop", () => {
    const call = makeCall();
    call.abort(reason);
    call.abort(new ToolError("timeout", "Too late."));
    expect(call.abortReason).toBe(reason);
    expect(call.signal.reason).toBe(reason);
  });
});
