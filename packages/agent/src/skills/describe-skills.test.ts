import { utf8Length } from "@haft/contract/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advertiseSkills } from "./advertise-skills.ts";
import { describeSkills } from "./describe-skills.ts";
import type { Skill, Skills } from "./skills.ts";

const make = (name: string, description: string): Skill => ({
  name,
  description,
  directory: `/skills/${name}`,
  file: `/skills/${name}/SKILL.md`,
  origin: "project",
});

const all = (list: readonly Skill[]): Skills => ({
  get: () => undefined,
  list: () => list,
  warnings: [],
});

describe("describeSkills", () => {
  it("has a line for each, and nothing where there are none", () => {
    expect(describeSkills(all([]), String)).toBeUndefined();
    const text = describeSkills(
      all([make("pdf", "Reads PDF."), make("xlsx", "Reads tables.")]),
      String,
    );
    expect(text).toMatch(
      /^# Skills\n\n.*`skill`.*:\n\n- pdf: Reads PDF\.\n- xlsx: Reads tables\.$/u,
    );
  });

  it("stays within bounds however many there are", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => make(`skill-${at}`, "x".repeat(1_000)));
    const text = describeSkills(all(many), String) as string;
    expect(utf8Length(text)).toBeLessThan(9 * 1024);
    expect(text).toMatch(/\n- and \d+ more. haft skills list shows all$/u);
  });
});

describe("advertiseSkills", () => {
  it("cuts the long ones to one length and leaves the short ones whole", () => {
    const list = [make("a", "x".repeat(500)), make("b", "Short."), make("c", "y".repeat(300))];
    const lines = advertiseSkills(list, 256).split("\n");
    expect(lines[1]).toBe("- b: Short.");
    expect(lines[0]).toMatch(/^- a: x+…$/u);
    expect(lines[0]?.length).toBe(lines[2]?.length);
    expect(utf8Length(lines.join("\n"))).toBeGreaterThan(240);
  });

  it("names skills without their descriptions where there is no room for more", () => {
    const list = Array.from({ length: 10 }, (_, at) => make(`n${at}`, "Does something."));
    expect(advertiseSkills(list, 60)).toBe(list.map(({ name }) => `- ${name}`).join("\n"));
  });

  it("never exceeds its bound, cuts no character in two, and names each at most once", () => {
    const skill = fc
      .tuple(fc.stringMatching(/^[a-z]{1,20}$/u), fc.string({ unit: "grapheme", minLength: 1 }))
      .map(([name, description]) => make(name, description.replaceAll(/\s/gu, "_")));
    fc.assert(
      fc.property(
        fc.array(skill, { maxLength: 30 }),
        fc.integer({ min: 100, max: 2_000 }),
        (list, most) => {
          const text = advertiseSkills(list, most);
          expect(utf8Length(text)).toBeLessThanOrEqual(most);
          expect(text.isWellFormed() || !list.every((one) => one.description.isWellFormed())).toBe(
            true,
          );
          expect(text === "" ? 0 : text.split("\n").length).toBeLessThanOrEqual(list.length);
        },
      ),
    );
  });
});
