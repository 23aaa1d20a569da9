import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";

interface ChartProps {
  readonly from: number;
  readonly bucketMs: number;
  readonly succeeded: readonly number[];
  readonly failed: readonly number[];
  /** Called with a range that was marked with the mouse. */
  onSelect?(from: number, to: number): void;
}

const height = 120;

/** Bars of how many succeeded and failed over time. The page has the same as a table. */
export function Chart({ from, bucketMs, succeeded, failed, onSelect }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const select = useRef(onSelect);
  select.current = onSelect;
  useEffect(() => {
    const element = place.current as HTMLDivElement;
    const style = getComputedStyle(element);
    const color = (name: string): string => style.getPropertyValue(name);
    const times = succeeded.map((_, index) => (from + index * bucketMs) / 1_000);
    const all = succeeded.map((count, index) => count + (failed[index] ?? 0));
    const bars = UPlot.paths.bars?.({ size: [0.8, 40], align: 1 }) as UPlot.Series.PathBuilder;
    const axis = {
      stroke: color("--quiet"),
      grid: { stroke: color("--line"), width: 1 },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
    };
    const plot = new UPlot(
      {
        width: Math.max(200, element.clientWidth),
        height,
        legend: { show: false },
        cursor: { y: false, drag: { x: true, y: false, setScale: false } },
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] } },
        axes: [
          { ...axis, grid: { show: false } },
          {
            ...axis,
            size: 44,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6],
          },
        ],
        series: [
          {},
          {
            label: "Succeeded",
            fill: color("--chart-good"),
            width: 0,
            paths: bars,
            points: { show: false },
          },
          {
            label: "Failed",
            fill: color("--chart-bad"),
            width: 0,
            paths: bars,
            points: { show: false },
          },
        ],
        hooks: {
          setSelect: [
            (self) => {
              if (self.select.width < 4) return;
              const start = self.posToVal(self.select.left, "x");
              const end = self.posToVal(self.select.left + self.select.width, "x");
              select.current?.(start * 1_000, end * 1_000);
            },
          ],
        },
      },
      // The failures lie in front of all.
      [times, all, [...failed]],
      element,
    );
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: Math.max(200, element.clientWidth), height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [from, bucketMs, succeeded, failed]);
  return <div class="chart" ref={place} style={{ height }} aria-hidden="true" />;
}
