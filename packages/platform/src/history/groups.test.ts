import { createGroups, type Groups } from "./groups.ts";

function openGroups(isEnough?: (items: number) => boolean): {
  readonly groups: Groups<number>;
  readonly written: number[][];
} {
  const written: number[][] = [];
  const groups = createGroups<number>({
    maxItems: 4,
    isFaultOfOne: () => true,
    ...(isEnough !== undefined && { isEnough }),
    write: async (items) => {
      if (items.includes(13)) throw new Error("13 is refused.");
      written.push([...items]);
    },
  });
  return { groups, written };
}

describe("groups", () => {
  it("are written together if they come together, up to a limit", async () => {
    const { groups, written } = openGroups();
    await Promise.all([1, 2, 3, 4, 5].map((item) => groups.add(item)));
    expect(written).toEqual([[1, 2, 3, 4], [5]]);
  });

  it("wait until there are enough", async () => {
    const { groups, written } = openGroups((items) => items >= 3);
    const first = groups.add(1);
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, groups.add(2), groups.add(3)]);
    expect(written).toEqual([[1, 2, 3]]);
  });

  it("are written if there are never enough", async () => {
    const { groups, written } = openGroups(() => false);
    await groups.add(1);
    await groups.drain();
    expect(written).toEqual([[1]]);
  });

  it("lose only the item that is refused", async () => {
    const { groups, written } = openGroups();
    const outcomes = await Promise.allSettled([1, 13, 3].map((item) => groups.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(written).toEqual([[1], [3]]);
  });
});
