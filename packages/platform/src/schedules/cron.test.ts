import { parseCron } from "./cron.ts";

describe("a cron expression", () => {
  it.each([
    ["0 6 * * MON-FRI", "UTC", "2026-01-02T07:00Z", ["01-05T06:00", "01-06T06:00"]],
    ["0 6 1 jan,JUL *", "UTC", "2026-01-02T00:00Z", ["07-01T06:00", "01-01T06:00"]],
    ["@daily", "America/New_York", "2026-01-01T00:00Z", ["01-01T05:00", "01-02T05:00"]],
    // 02:30 does not exist on 29 March: it runs when the clocks have moved on.
    ["30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", ["03-29T01:00", "03-30T00:30"]],
    // 02:30 exists twice on 25 October: it runs at the first.
    ["30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", ["10-25T00:30", "10-26T01:30"]],
    // Several times a day or an hour: those that do not exist are left out, the others run each time.
    ["0,30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", ["03-30T00:00", "03-30T00:30"]],
    [
      "30 * * * *",
      "Europe/Berlin",
      "2026-10-25T00:00Z",
      ["10-25T00:30", "10-25T01:30", "10-25T02:30"],
    ],
  ])("names the times of %s in %s", (...[cron, timeZone, from, expected]) => {
    const times = parseCron(cron, timeZone);
    let at = Date.parse(from);
    for (const time of expected) {
      at = times.next(at) ?? Number.NaN;
      expect(new Date(at).toISOString().slice(5, 16)).toBe(time);
    }
  });

  it("counts the times that are over", () => {
    const first = Date.UTC(2026, 0, 1, 6);
    const times = parseCron("0 6 * * *", "UTC");
    expect(times.between(first, first)).toEqual({ last: first, count: 1 });
    const later = Date.UTC(2026, 0, 4, 5);
    expect(times.between(first, later)).toEqual({ last: Date.UTC(2026, 0, 3, 6), count: 3 });
    const everyMinute = parseCron("* * * * *", "UTC").between(first, later);
    expect(everyMinute).toEqual({ last: later, count: 100 });
  });

  it.each([
    ["0 6 * *", "UTC", "body.cron: It is not a cron expression. Use five fields"],
    ["* * * * * *", "UTC", "body.cron: It is not a cron expression."],
    ["2026-01-01T00:00:00", "UTC", "body.cron: It is not a cron expression."],
    ["61 * * * *", "UTC", "body.cron: Invalid value for minute: 61. Use five fields"],
    ["*/0 * * * *", "UTC", "illegal stepping"],
    ["? * * * *", "UTC", '"?" has a character that can\'t be used'],
    ["@reboot", "UTC", "Known are: @hourly, @daily"],
    ["0 6 * * *", "Mars/Phobos", "body.time_zone: It is not a time zone."],
  ])("is refused: %s in %s", (cron, timeZone, why) => {
    expect(() => parseCron(cron, timeZone)).toThrow(why);
  });
});
