/**
 * The table of metrics in `docs/observability.md`, compared with the registry. `XCA_UPDATE=1` writes the
 * table anew.
 *
 * @module
 */
import assert from "node:assert/strict";
import { informerMetrics } from "../../lib/manager/metrics/informer_metrics.ts";
import { operatorMetrics } from "../../lib/manager/metrics/operator_metrics.ts";
import { measureEventLoopLag, processMetrics } from "../../lib/manager/metrics/process_metrics.ts";
import { MetricsRegistry } from "../../lib/manager/metrics/registry.ts";
import { FakeClock } from "../../lib/testing/fake_clock.ts";

const page = new URL("../../docs/observability.md", import.meta.url);
const HEAD = "| name | type | labels | meaning |";

/** Returns the rows of the documented table of metrics that the registry declares. */
function declared(): string[] {
  const registry = new MetricsRegistry();
  operatorMetrics(registry);
  processMetrics(registry);
  informerMetrics(registry, () => []);
  measureEventLoopLag(registry, new FakeClock())[Symbol.dispose]();
  return registry.specs.map(({ name, type, labels = [], help }) => {
    const shown = labels.map((label) => `\`${label}\``).join(", ");
    return rowOf([`\`${name}\``, type, shown, help.replaceAll("<error>", "`<error>`")]);
  });
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Returns the rows of the table of metrics in a page, without the blanks that align columns. */
function documented(text: string): { readonly start: number; readonly rows: string[] } {
  const lines = text.split("\n").map((line) =>
    line.startsWith("|") ? rowOf(line.slice(1, -1).split("|").map((cell) => cell.trim())) : line
  );
  const start = lines.indexOf(HEAD);
  assert(start >= 0, `docs/observability.md has no table ${HEAD}`);
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  return { start, rows: lines.slice(start, start + length) };
}

Deno.test("documentation: the table of metrics in docs/observability.md is that of the registry", async () => {
  const text = await Deno.readTextFile(page);
  const { start, rows } = documented(text);
  if (Deno.env.get("XCA_UPDATE") === "1") {
    const lines = text.split("\n");
    lines.splice(start + 2, rows.length - 2, ...declared());
    await Deno.writeTextFile(page, lines.join("\n"));
    return;
  }
  assert.deepEqual(rows.slice(2), declared());
});
