import type { InboxItemRow } from "../store/schema.ts";
import { toLinkForm } from "./link-form.ts";

const item = (kind: InboxItemRow["kind"], schema: unknown): InboxItemRow =>
  ({ kind, schema: schema === null ? null : JSON.stringify(schema) }) as InboxItemRow;

describe("the form of a link", () => {
  it("allows an approval once or not, and never always", () => {
    const approval = item("approval", { enum: ["once", "always", "no"] });
    expect(toLinkForm(approval)).toEqual({
      choices: [
        { label: "Allow once", answer: "once" },
        { label: "Deny", answer: "no" },
      ],
    });
    expect(toLinkForm(approval, "no")).toMatchObject({ choices: [{ answer: "no" }] });
    expect(toLinkForm(approval, "always")).toContain('"once", "no"');
  });

  it.each([
    ["a list", { type: "array", items: { type: "string" } }],
    ["an object in an object", { type: "object", properties: { a: { type: "object" } } }],
    [
      "a required value that it does not describe",
      { type: "object", properties: {}, required: ["a"] },
    ],
    ["choices that are no simple values", { enum: [{}, "a"] }],
    ["a schema that allows nothing", false],
  ])("does not exist for %s", (_what, schema) => {
    expect(toLinkForm(item("question", schema))).toContain("haft inbox answer");
  });

  it("is a text where any JSON is accepted", () => {
    expect(toLinkForm(item("question", null))).toMatchObject({
      ...{ isBare: true, fields: [{ type: "text", isRequired: true }] },
    });
  });
});
