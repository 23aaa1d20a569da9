import { describe, expect, it } from "vitest";
import { createStatusLine } from "./status-line.ts";

const erase = "\r\u001b[K";

function createLine(columns = 80) {
  const written: string[] = [];
  let time = 0;
  let draw: (() => void) | undefined;
  const line = createStatusLine({
    write: (text) => written.push(text),
    columns: () => columns,
    now: () => time,
    repeat: (again) => {
      draw = again;
      return () => {
        draw = undefined;
      };
    },
  });
  const tick = (ms = 0): string | undefined => {
    time += ms;
    written.length = 0;
    draw?.();
    return written.at(-1);
  };
  return { line, tick, written, isDrawing: () => draw !== undefined };
}

describe("createStatusLine", () => {
  it("shows what is running and for how long, and disappears when nothing is", () => {
    const { line, tick, written, isDrawing } = createLine();
    expect(isDrawing()).toBe(false);
    line.set("thinking");
    expect(tick()).toBe(`${erase}⠋ thinking`);
    expect(tick(2_500)).toBe(`${erase}⠙ 2 s thinking`);
    line.set("bash ls");
    expect(tick()).toBe(`${erase}⠹ 2 s bash ls`);
    line.set(undefined);
    expect(written.at(-1)).toBe(erase);
    expect(isDrawing()).toBe(false);
    line.set("again");
    expect(tick()).toBe(`${erase}⠸ again`);
  });

  it("is cleared once before other output", () => {
    const { line, tick, written } = createLine();
    line.set("thinking");
    tick();
    line.hide();
    line.hide();
    expect(written.filter((text) => text === erase)).toHaveLength(1);
  });

  it("is not drawn while somebody else uses the terminal", () => {
    const { line, tick } = createLine();
    line.set("thinking");
    const resume = line.suspend();
    const resumeInner = line.suspend();
    resume();
    expect(tick()).toBeUndefined();
    resumeInner();
    expect(tick()).toContain("thinking");
  });

  it("never takes more than a row", () => {
    const { line, tick } = createLine(10);
    line.set("日本語の長い行です");
    expect(tick()).toBe(`${erase}⠋ 日本語`);
  });
});
