import { describe, expect, it } from "vitest";
import { settle } from "../test-support/settle.ts";
import { type CallEvent, Events } from "./events.ts";

const event: CallEvent = {
  session: "s",
  callId: "c",
  name: "read",
  tool: "read",
  arguments: {},
  state: "in-progress",
  repairs: [],
};

function listen(events: Events): string[] {
  const warnings: string[] = [];
  events.on("session:warning", ({ message }) => warnings.push(message));
  return warnings;
}

describe("Events", () => {
  it("tells every listener of the kind, in order, until it leaves", () => {
    const events = new Events("s");
    const heard: string[] = [];
    const leave = events.on("tool:pre", () => heard.push("first"));
    events.on("tool:pre", () => heard.push("second"));
    events.on("tool:state", () => heard.push("other kind"));
    events.emit("tool:pre", event);
    void leave();
    events.emit("tool:pre", event);
    expect(heard).toEqual(["first", "second", "second"]);
  });

  it("knows whether an event is worth building", () => {
    const events = new Events("s");
    expect(events.hears("tool:pre")).toBe(false);
    const leave = events.on("tool:pre", () => {});
    expect(events.hears("tool:pre")).toBe(true);
    void leave();
    expect(events.hears("tool:pre")).toBe(false);
  });

  it("turns what a listener throws into a warning and continues", () => {
    const events = new Events("s");
    const warnings = listen(events);
    const heard: string[] = [];
    events.on("tool:pre", () => {
      throw new Error("broken");
    });
    events.on("tool:pre", () => heard.push("second"));
    events.emit("tool:pre", event);
    expect(warnings).toEqual(["A listener for tool:pre threw: broken"]);
    expect(heard).toEqual(["second"]);
  });

  it("survives a listener that throws what has no words", () => {
    const events = new Events("s");
    const warnings = listen(events);
    events.on("tool:pre", () => {
      throw Object.create(null);
    });
    expect(() => events.emit("tool:pre", event)).not.toThrow();
    expect(warnings).toHaveLength(1);
  });

  it("turns the rejection of an asynchronous listener into a warning", async () => {
    const events = new Events("s");
    const warnings = listen(events);
    events.on("tool:pre", async () => {
      throw new Error("late");
    });
    events.emit("tool:pre", event);
    await settle();
    expect(warnings).toEqual(["A listener for tool:pre threw: late"]);
  });

  it("does not warn about those who listen to warnings", () => {
    const events = new Events("s");
    let heard = 0;
    events.on("session:warning", () => {
      heard++;
      throw new Error("broken");
    });
    events.warn("something");
    expect(heard).toBe(1);
  });
});
