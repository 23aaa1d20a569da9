import { describe, expect, it } from "vitest";
import { readRequirements } from "./check-requirements.ts";

const read = (text: string): readonly string[] => readRequirements(Buffer.from(text));
const hash = `--hash=sha256:${"0".repeat(64)}`;

describe("readRequirements", () => {
  it("takes packages with their versions", () => {
    const text = `# needed\nrequests==2.32.3\n\nurllib3[socks] == 2.2.1 ; python_version < "4" # why\nidna==3.7 \\\n    ${hash}\namigo-tool-scaffold==1.0.0\n`;
    expect(read(text)).toEqual([
      "requests==2.32.3",
      'urllib3[socks] == 2.2.1 ; python_version < "4"',
      expect.stringContaining(`idna==3.7`),
    ]);
  });

  it.each([
    "requests",
    "requests>=2.0",
    "requests @ https://evil.example/x.whl",
    'requests==1.0; python_version < "4" @ https://evil.example/x.whl',
    "git+https://example.com/x.git",
    "-r other.txt",
    "-e .",
    "--index-url https://evil.example/simple",
    "requests==2.0 --install-option=x",
    "./local",
    "/etc/passwd",
  ])("refuses %j", (line) => {
    expect(() => read(`${line}\n`)).toThrow(/^requirements\.txt has .*requests==2\.32\.3/u);
  });
});
