import { useNavigate } from "@tanstack/react-router";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { stream } from "../../api/stream.ts";
import { Command } from "../../ui/command.tsx";
import { ProblemNote } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";

// The project that every organization's repository begins with.
const sample = "my_tool";

/** The next steps in an organization without tools. */
export function FirstRun() {
  const { organization, may } = useSession();
  const navigate = useNavigate();
  const [step, setStep] = useState<string>();
  const [problem, setProblem] = useState<string>();

  const publishSample = async (): Promise<void> => {
    setProblem(undefined);
    try {
      setStep("Creating the tool");
      const body = { name: sample, description: "Greets a person. A sample.", tags: {} };
      const params = { path: { organization } };
      const { id } = await ask(api.POST("/v1/{organization}/tool/", { params, body }));
      const events = stream(`/v1/${organization}/tool/${id}/version`, {
        method: "POST",
        body: { project_path: sample, bump_type: "minor", repo: "main" },
      });
      for await (const { event, data } of events) {
        if (event === "error") throw new Error((data as { detail: string }).detail);
        if (event === "log") setStep((data as { line: string }).line);
        if (event === "progress") setStep((data as { state?: string }).state ?? "Building");
      }
      await queries.invalidateQueries({ queryKey: [organization, "tools"] });
      await navigate({ to: "/try", search: { tool: sample } } as never);
    } catch (error) {
      setProblem((error as Error).message);
      setStep(undefined);
    }
  };

  return (
    <div class="first-run">
      <h2>Start with a tool</h2>
      <ol>
        <li>
          <h3>Try the sample</h3>
          <p class="quiet">
            Publishes the sample of this organization's repository and opens it in Try it.
          </p>
          <button
            type="button"
            class="primary"
            disabled={step !== undefined || !may("Tool:CreateTool")}
            onClick={() => void publishSample()}
          >
            {step === undefined ? "Publish and run the sample" : "Publishing…"}
          </button>
          {step !== undefined && (
            <p class="quiet" role="status">
              {showLine(step)}
            </p>
          )}
          {problem !== undefined && <ProblemNote text={problem} />}
        </li>
        <li>
          <h3>Write your own</h3>
          <Command text="npx haft tool init greeter" />
          <Command text="npx haft tool publish --path greeter --push --create --bump minor" />
          <Command text={`npx haft tool invoke greeter '{"name": "Ada"}'`} />
        </li>
        <li>
          <h3>Give it to an agent</h3>
          <p class="quiet">Every tool of the organization is offered over MCP.</p>
          <Command
            text={`claude mcp add --transport http haft ${location.origin}/v1/${organization}/mcp`}
          />
        </li>
      </ol>
    </div>
  );
}
