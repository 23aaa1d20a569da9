import { describe, expect, it } from "vitest";
import { systemClock } from "./clock.ts";

describe("systemClock", () => {
  it("runs a timer, unless it is cancelled first", async () => {
    const ran: string[] = [];
    const cancelled = systemClock.after(0, () => ran.push("cancelled"));
    cancelled.cancel();
    await new Promise<void>((resolve) => {
      systemClock.after(0, () => {
        ran.push("kept");
        resolve();
      });
    });
    expect(ran).toEqual(["kept"]);
  });

  it("does not fire at once what is due in years", async () => {
    let fired = false;
    const timer = systemClock.after(2 ** 40, () => {
      fired = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 2));
    timer.cancel();
    expect(fired).toBe(false);
  });
});
