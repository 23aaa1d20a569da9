import { Component, type ComponentChildren } from "preact";
import { ProblemNote } from "../ui/notes.tsx";

interface State {
  readonly error: Error | undefined;
}

/** Shows what went wrong below it, and a way to go on. */
export class ErrorBoundary extends Component<{ children: ComponentChildren }, State> {
  override state: State = { error: undefined };

  static override getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}

/** What went wrong in a page. */
export function Failure({ error, onRetry }: { error: Error; onRetry(): void }) {
  return (
    <main class="failure">
      <h1>This page failed</h1>
      <ProblemNote text={error.message} />
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </main>
  );
}
