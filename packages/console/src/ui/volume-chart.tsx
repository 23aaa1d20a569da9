import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";

/** Values over time, with the name of their colour. */
export interface ChartSeries {
  readonly label: string;
  readonly color: string;
  readonly values: readonly number[];
}

interface ChartProps {
  readonly from: number;
  readonly bucketMs: number;
  /** Stacked, the first on top. Keep the same array while nothing changes. */
  readonly series: readonly ChartSeries[];
  /** Whether values between whole numbers are shown on the axis. */
  readonly hasFractions?: boolean;
  /** Called with a range that was marked with the mouse. */
  onSelect?(from: number, to: number): void;
}

const height = 120;

const wholeSteps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4],
  ...[1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 1e8, 1e9, 1e10],
];
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 3 });

/** Stacked bars over time. The page has the same as a table. */
export function Chart({ from, bucketMs, series, hasFractions = false, onSelect }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const select = useRef(onSelect);
  select.current = onSelect;
  useEffect(() => {
    const element = place.current as HTMLDivElement;
    const style = getComputedStyle(element);
    const color = (name: string): string => style.getPropertyValue(name);
    const times = (series[0]?.values ?? []).map((_, index) => (from + index * bucketMs) / 1_000);
    // Each bar lies in front of the one before, which is as much taller as its own value.
    const stacked = series.map((_, at) =>
      times.map((_, index) =>
        series.slice(at).reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
      ),
    );
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
        scales: {
          // A bar begins at its time: the last one needs room.
          x: { range: (_plot, min, max) => [min, max + bucketMs / 1_000] },
          y: { range: (_plot, _min, max) => [0, Math.max(hasFractions ? 0.01 : 4, max * 1.1)] },
        },
        axes: [
          { ...axis, grid: { show: false } },
          {
            ...axis,
            size: 52,
            space: 18,
            values: (_plot, splits) => splits.map((value) => short.format(value)),
            ...(!hasFractions && { incrs: wholeSteps }),
          },
        ],
        series: [
          {},
          ...series.map(({ label, color: name }) => ({
            ...{ label, fill: color(name), width: 0, paths: bars, points: { show: false } },
          })),
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
      [times, ...stacked],
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
  }, [from, bucketMs, series, hasFractions]);
  return <div class="chart" ref={place} style={{ height }} aria-hidden="true" />;
}
