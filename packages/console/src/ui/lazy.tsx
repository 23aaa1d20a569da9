import type { ComponentType } from "preact";
import { lazy, Suspense } from "preact/compat";

/** A component that is loaded when it is first shown. */
function loadLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: (await load()) as ComponentType<unknown> }));
  return (props: Props) => (
    <Suspense fallback={<p class="quiet loading">Loading…</p>}>
      <Loaded {...(props as object)} />
    </Suspense>
  );
}

/** An editor for JSON. */
export const JsonEditor = loadLater(async () => (await import("./editor.tsx")).Editor);

/** Two texts beside each other, or one below the other on a narrow page. */
export const DiffView = loadLater(async () => (await import("./diff.tsx")).Diff);

/** A chart of counts over time. */
export const VolumeChart = loadLater(async () => (await import("./volume-chart.tsx")).Chart);
