import { describe, expect, it } from "vitest";
import { findPatch } from "./find-patch.ts";

const patch = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch";

describe("findPatch", () => {
  it.each([
    [["apply_patch", patch]],
    [["applypatch", patch]],
    [["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF`]],
    [`apply_patch <<EOF\n${patch}\nEOF\n`],
    [`  apply_patch <<-"P1"\n${patch}\nP1`],
  ])("finds it in %j", (command) => {
    expect(findPatch(command, undefined)).toBe(patch);
  });

  it.each([
    [["apply_patch"]],
    [["apply_patch", patch, "more"]],
    [["echo", "apply_patch"]],
    [`cd sub && apply_patch <<'EOF'\n${patch}\nEOF`],
    [`apply_patch <<'EOF'\n${patch}\nEOF\nrm -r /`],
    [`apply_patch <<'EOF'\n${patch}\nOTHER`],
    ["apply_patch --help"],
    [["apply_patch", 5, 6]],
    [undefined],
    [7],
  ])("finds none in %j", (command) => {
    expect(findPatch(command, undefined)).toBeUndefined();
  });

  it("has the paths start where the command would", () => {
    const moving = [
      "*** Begin Patch",
      "*** Update File: a",
      "*** Move to: b",
      "@@",
      "-*** Add File: c",
      "+*** Delete File: d",
      "*** Delete File: /abs",
      "*** End Patch",
    ].join("\n");
    expect(findPatch(["apply_patch", moving], "sub/")).toBe(
      moving
        .replace("Update File: a", "Update File: sub/a")
        .replace("Move to: b", "Move to: sub/b"),
    );
  });

  it("takes no longer for a long command that is none", () => {
    const long = `apply_patch <<EOF${"\nEO".repeat(50_000)}`;
    expect(findPatch(long, undefined)).toBeUndefined();
  });
});
