import { describe, expect, it } from "vitest";
import { createScreen } from "./screen.ts";
import type { StatusLine } from "./status-line.ts";
import { createTestIo } from "./test-support/test-io.ts";

describe("createScreen", () => {
  it("starts other output on a new line, on a terminal", () => {
    const io = createTestIo({ outputIsTerminal: true });
    const screen = createScreen(io);
    screen.answer("half");
    screen.line("• call");
    screen.answer("whole\n");
    screen.endAnswer();
    screen.io.error("open");
    screen.line("next");
    expect(io.shown).toEqual({ out: "half\nwhole\n", error: "• call\nopen\nnext\n" });
  });

  it("leaves an answer that goes into a file as it is, and ends it once", () => {
    const io = createTestIo();
    const screen = createScreen(io);
    screen.answer("half");
    screen.line("• call");
    screen.answer(" and half");
    screen.endAnswer();
    screen.endAnswer();
    expect(io.shown.out).toBe("half and half\n");
  });

  it("shows what comes while a person types when they are done", async () => {
    const typing = Promise.withResolvers<string>();
    const io = createTestIo({ outputIsTerminal: true, readLine: () => typing.promise });
    const screen = createScreen(io);
    const read = screen.io.readLine("? ", new AbortController().signal);
    screen.answer("later");
    screen.line("• call");
    screen.io.error("too\n");
    screen.endAnswer();
    expect(io.shown).toEqual({ out: "", error: "" });
    typing.resolve("y");
    expect(await read).toBe("y");
    expect(io.shown).toEqual({ out: "later\n", error: "• call\ntoo\n" });
  });

  it("lets an answer go into a file also while a person types", () => {
    const io = createTestIo({ readLine: () => new Promise(() => {}) });
    const screen = createScreen(io);
    void screen.io.readLine("? ", new AbortController().signal);
    screen.answer("now");
    screen.endAnswer();
    expect(io.shown.out).toBe("now\n");
  });

  it("shows no status on unfinished lines, nor while a line is read", async () => {
    const calls: string[] = [];
    const status: StatusLine = {
      set: (text) => calls.push(`set ${text}`),
      hide: () => calls.push("hide"),
      suspend: () => {
        calls.push("suspend");
        return () => calls.push("resume");
      },
      close: () => {},
    };
    const readLine = async () => {
      calls.push("read");
      return "y";
    };
    const screen = createScreen(createTestIo({ outputIsTerminal: true, readLine }), status);
    screen.status("thinking");
    screen.answer("a");
    screen.answer("b");
    screen.answer("\n");
    await screen.io.readLine("? ", new AbortController().signal);
    expect(calls).toEqual([
      "set thinking",
      ...["hide", "suspend", "hide", "hide", "resume"],
      ...["suspend", "read", "resume"],
    ]);
  });
});
