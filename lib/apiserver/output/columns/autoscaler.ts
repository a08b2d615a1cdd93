// Mirrors `printers/internalversion/printers.go, printHorizontalPodAutoscaler`.
import type { CellsByKind, Tree } from "../cell_text.ts";

/**
 * The functions that return the table cells of a HorizontalPodAutoscaler in version
 * `autoscaling/v2`.
 */
export const AUTOSCALER_CELLS: CellsByKind = {
  "HorizontalPodAutoscaler.autoscaling": ({ metadata, spec, status }, age) => [
    metadata.name,
    `${spec.scaleTargetRef?.kind ?? ""}/${spec.scaleTargetRef?.name ?? ""}`,
    metricsText(spec.metrics ?? [], status?.currentMetrics ?? []),
    spec.minReplicas === undefined ? "<unset>" : String(spec.minReplicas),
    spec.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    age(metadata.creationTimestamp),
  ],
};

const FIELDS: Readonly<Record<string, string>> = {
  External: "external",
  Pods: "pods",
  Object: "object",
  Resource: "resource",
  ContainerResource: "containerResource",
};

function metricsText(specs: readonly Tree[], statuses: readonly Tree[]): string {
  if (specs.length === 0) return "<none>";
  const texts = specs.map((spec, index) => metricText(spec, statuses[index]));
  const shown = texts.slice(0, 2).join(", ");
  return texts.length > 2 ? `${shown} + ${texts.length - 2} more...` : shown;
}

function metricText(spec: Tree, status: Tree): string {
  const field = FIELDS[spec.type];
  if (field === undefined) return "<unknown type>";
  const { target = {}, name } = spec[field] ?? {};
  const current = status?.[field]?.current;
  const named = field === "resource" || field === "containerResource" ? `${name}: ` : "";
  if (target.averageValue !== undefined) {
    const average = field === "external" || field === "object" ? " (avg)" : "";
    return `${named}${current?.averageValue ?? "<unknown>"}/${target.averageValue}${average}`;
  }
  if (named === "") return `${current?.value ?? "<unknown>"}/${target.value}`;
  const percent = (value: number | undefined, none: string): string =>
    value === undefined ? none : `${value}%`;
  const now = percent(current?.averageUtilization, "<unknown>");
  return `${named}${now}/${percent(target.averageUtilization, "<auto>")}`;
}
