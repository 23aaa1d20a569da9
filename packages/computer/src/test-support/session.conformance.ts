import type { Computer } from "@haft/core";
import { describe, expect, it } from "vitest";
import { openScope, readText } from "./open-scope.ts";

/** What the sessions of every computer do alike. */
export function describeSessions(surface: string, create: () => Computer): void {
  describe(`sessions (${surface})`, () => {
    it("keeps values by name, each a copy", async () => {
      const { state } = create().openSession("s");
      expect(await state.get("list")).toBeUndefined();
      const list = [{ text: "a" }];
      await state.set("list", list);
      list.push({ text: "b" });
      await state.set("other/../key \u00e4", null);
      expect(await state.get("list")).toEqual([{ text: "a" }]);
      expect(await state.get("other/../key \u00e4")).toBeNull();
    });

    it("tells names apart that differ by case alone, and takes long ones", async () => {
      const { state } = create().openSession("s");
      const long = "x".repeat(1000);
      await state.set("Key", 1);
      await state.set("key", 2);
      await state.set(long, 3);
      await state.set(`${long}y`, 4);
      const keys = ["Key", "key", long, `${long}y`];
      expect(await Promise.all(keys.map((key) => state.get(key)))).toEqual([1, 2, 3, 4]);
    });

    it("keeps the last of several values", async () => {
      const { state } = create().openSession("s");
      await Promise.all([1, 2, 3].map((value) => state.set("key", value)));
      expect(await state.get("key")).toBe(3);
    });

    it("opens a session as it was left", async () => {
      const computer = create();
      const first = computer.openSession("s");
      await first.state.set("key", "value");
      await first.rules.add("session", { permission: "write", pattern: "src/**", action: "allow" });
      await first.close();
      const again = computer.openSession("s");
      expect(again.id).toBe(first.id);
      expect(await again.state.get("key")).toBe("value");
      expect(again.rules.list("session")).toHaveLength(1);
    });

    it("keeps sessions apart, except for the project's rules", async () => {
      const computer = create();
      const [one, two] = [computer.openSession("one"), computer.openSession("two")];
      const rule = { permission: "bash", pattern: "git log *", action: "allow" } as const;
      await one.state.set("key", 1);
      await one.rules.add("session", rule);
      await one.rules.add("project", { ...rule, action: "deny" });
      expect(one.id).not.toBe(two.id);
      expect(await two.state.get("key")).toBeUndefined();
      expect(two.rules.list("session")).toEqual([]);
      expect(two.rules.list("project")).toEqual([{ ...rule, action: "deny" }]);
    });

    it("stores a rule once", async () => {
      const { rules } = create().openSession("s");
      const rule = { permission: "write", pattern: "a b/**", action: "ask" } as const;
      await rules.add("session", rule);
      await rules.add("session", rule);
      expect(rules.list("session")).toEqual([rule]);
    });

    it("takes a rule away again", async () => {
      const { rules } = create().openSession("s");
      const rule = { permission: "bash", pattern: "npm *", action: "allow" } as const;
      const conditional = { ...rule, when: "sandbox" } as const;
      for (const scope of ["session", "project"] as const) {
        for (const stored of [rule, conditional]) await rules.add(scope, stored);
        expect(await rules.remove(scope, conditional)).toBe(true);
        expect(await rules.remove(scope, conditional)).toBe(false);
        expect(rules.list(scope)).toEqual([rule]);
      }
    });

    it("stores an output that comes in parts", async () => {
      const computer = create();
      const { sidecars } = computer.openSession("s");
      const [kept, dropped] = [sidecars.open("call"), sidecars.open("call")];
      await Promise.all([kept.write("one, "), dropped.write("lost")]);
      await kept.write(new TextEncoder().encode("two"));
      await dropped.discard();
      const path = await kept.end();
      const { files } = openScope(computer, { fs: { read: [`${sidecars.directory}/**`] } });
      expect(await readText(files, path)).toBe("one, two");
      expect(await files.list(sidecars.directory)).toHaveLength(1);
    });

    it("stores whole outputs where tools can read them, until it closes", async () => {
      const computer = create();
      const { sidecars, close } = computer.openSession("s");
      const paths = [
        await sidecars.write("call/../1", "one"),
        await sidecars.write("call/../1", new TextEncoder().encode("two")),
        await sidecars.write("", "three"),
      ];
      const { files } = openScope(computer, { fs: { read: [`${sidecars.directory}/**`] } });
      expect(new Set(paths).size).toBe(3);
      expect(paths.every((path) => path.startsWith(`${sidecars.directory}/`))).toBe(true);
      expect(await Promise.all(paths.map((path) => readText(files, path)))).toEqual([
        "one",
        "two",
        "three",
      ]);
      await close();
      for (const path of paths) {
        await expect(files.read(path)).rejects.toMatchObject({ code: "not-found" });
      }
      expect(await readText(files, await sidecars.write("later", "four"))).toBe("four");
    });

    it.each(["", ".", "..", ".hidden", "a/b", "a b", "x".repeat(65), "a\0", "\u00e4"])(
      "refuses the name %j",
      (name) => {
        expect(() => create().openSession(name)).toThrow(TypeError);
        expect(() => create().openSession(name)).toThrow(JSON.stringify(name));
      },
    );
  });
}
