import { type HrTime, ValueType } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { emptyResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import type { Registry } from "prom-client";

interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

interface Family {
  readonly name: string;
  readonly help: string;
  /** Typed as a number by the library, but in fact a word such as `counter`. */
  readonly type: unknown;
  readonly values: readonly Sample[];
}

interface Span {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** Which metrics are sent where, and as what. */
export interface MetricExportOptions {
  readonly url: string;
  readonly registry: Registry;
  readonly serviceName: string;
  readonly version: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

/** Sends the metrics of a registry at an interval, as JSON over HTTP. */
export function createMeters(options: MetricExportOptions): MeterProvider {
  const { url, timeoutMs, intervalMs, registry, version, serviceName } = options;
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url, timeoutMillis: timeoutMs }),
    exportIntervalMillis: intervalMs,
    // Exports what `/metrics` shows, so that a request is counted once.
    metricProducers: [createRegistryProducer(registry, version)],
  });
  const resource = resourceFromAttributes({
    "service.name": serviceName,
    "service.version": version,
  });
  return new MeterProvider({ resource, readers: [reader] });
}

/** Creates a producer that exports the metrics of a Prometheus registry. */
function createRegistryProducer(registry: Registry, version: string): MetricProducer {
  const startTime = now();
  return {
    collect: async () => {
      const families = (await registry.getMetricsAsJSON()) as unknown as Family[];
      const span = { startTime, endTime: now() };
      const metrics = families.map((family) => toMetric(family, span));
      const scopeMetrics = [{ scope: { name: "haft", version }, metrics }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
    },
  };
}

function toMetric(family: Family, span: Span): MetricData {
  const { name, help, type, values } = family;
  const shared = {
    descriptor: { name, description: help, unit: toUnit(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === "histogram") {
    const dataPoints = toHistograms(family).map((point) => ({ ...span, ...point }));
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = values.map(({ labels, value }) => ({ ...span, attributes: labels, value }));
  return type === "counter"
    ? { ...shared, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: true }
    : { ...shared, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** Converts the cumulative buckets of a registry to separate ones. */
function toHistograms({
  name,
  values,
}: Family): { attributes: Sample["labels"]; value: Histogram }[] {
  const groups = Map.groupBy(values, ({ labels: { le: _le, ...others } }) =>
    JSON.stringify(others),
  );
  return [...groups.values()].map((samples) => {
    const buckets = samples.filter(({ metricName }) => metricName === `${name}_bucket`);
    const find = (suffix: string): number =>
      samples.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
    const { le: _le, ...attributes } = samples[0]?.labels ?? {};
    const boundaries = buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite);
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    return {
      attributes,
      value: { buckets: { boundaries, counts }, sum: find("sum"), count: find("count") },
    };
  });
}

function toUnit(name: string): string {
  if (name.endsWith("_seconds") || name.endsWith("_seconds_total")) return "s";
  return name.endsWith("_bytes") ? "By" : "";
}

function now(): HrTime {
  const milliseconds = Date.now();
  return [Math.floor(milliseconds / 1_000), (milliseconds % 1_000) * 1_000_000];
}
