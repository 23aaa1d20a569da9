import { createLog, toErrorFields } from "./logging.ts";

describe("a log", () => {
  it("writes one line of JSON for what is worth it", () => {
    const lines: string[] = [];
    const log = createLog({ level: "warn", stream: { write: (line) => lines.push(line) } });
    log.info({ a: 1 }, "not worth it");
    log.warn({ a: 1 }, "worth it");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] as string)).toEqual({
      level: "warn",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/u),
      a: 1,
      msg: "worth it",
    });
  });

  it("writes the name, code and location of an error, and no other members", () => {
    const error = Object.assign(new TypeError("no"), { code: "E_NO", detail: "private" });
    const fields = toErrorFields(error);
    expect(fields).toMatchObject({ error: "TypeError", code: "E_NO" });
    expect(String(fields.stack)).toContain("TypeError: no");
    expect(JSON.stringify(fields)).not.toContain("private");
    expect(toErrorFields("private")).toEqual({ error: "string" });
  });
});
