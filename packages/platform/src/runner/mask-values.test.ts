import { maskValues } from "./mask-values.ts";

const secret = "hunter2/ß?>~ \\q";

describe("masked values", () => {
  it.each([
    ["verbatim", `a ${secret} b`],
    ["in JSON", JSON.stringify({ deep: [secret] })],
    ["in JSON in JSON", JSON.stringify(JSON.stringify({ deep: "hunter2/ß?>~ q" }))],
    ["as a password", Buffer.from(`me:${secret}`).toString("base64")],
    ["as a user", Buffer.from(`${secret}:x`).toString("base64")],
    ["behind one byte", Buffer.from(`a${secret}bc`).toString("base64")],
    ["in a JWT", Buffer.from(JSON.stringify({ key: "hunter2/ß?>~ q" })).toString("base64url")],
    ["in hexadecimal", `0x${Buffer.from(secret).toString("hex")}`],
    ["in a query", `?key=${encodeURIComponent(secret)}&b`],
  ])("are not in a text %s", (_how, text) => {
    const masked = maskValues([secret, "hunter2/ß?>~ q"])(text);
    expect(masked).toContain("•••");
    const readable = [
      masked,
      ...masked
        .split("•••")
        .flatMap((part) => [
          ...["base64", "base64url", "hex"].map((form) =>
            Buffer.from(part, form as BufferEncoding).toString(),
          ),
        ]),
    ];
    for (const each of readable) expect(each).not.toMatch(/unter2|ß\?/u);
  });

  it("leave texts alone that only look alike", () => {
    const mask = maskValues(["ab", "1"]);
    expect(mask("YWI MQ 6162")).toBe("YWI MQ 6•••62");
  });
});
