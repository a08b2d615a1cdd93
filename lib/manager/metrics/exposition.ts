// Mirrors github.com/prometheus/common/expfmt/text_create.go, MetricFamilyToText.
import type { ExposedFamily, Sample } from "./family.ts";

/** The media type of the text exposition format of Prometheus. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Returns one metric in the text exposition format; empty when it has no series. */
export function familyText({ spec, type, samples }: {
  readonly spec: ExposedFamily["spec"];
  readonly type: ExposedFamily["type"];
  readonly samples: Iterable<Sample>;
}): string {
  const { name, labels = [] } = spec;
  let lines = "";
  for (const sample of samples) lines += line(name, labels, sample);
  if (lines === "") return "";
  return `# HELP ${name} ${escapedHelp(spec.help)}\n# TYPE ${name} ${type}\n${lines}`;
}

function line(name: string, labels: readonly string[], sample: Sample): string {
  const pairs = labels.map((label, index) => `${label}="${escapedValue(sample.values[index]!)}"`);
  if (sample.le !== undefined) pairs.push(`le="${numberText(sample.le)}"`);
  const shown = pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
  return `${name}${sample.suffix}${shown} ${numberText(sample.value)}\n`;
}

/** Returns a number as text for the exposition format of Prometheus, as Go's parser reads it. */
function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

function escapedHelp(help: string): string {
  return help.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapedValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
