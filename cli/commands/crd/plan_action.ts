import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import {
  planStorage,
  type StoragePlan,
  type StorageStep,
} from "../../../lib/resource/evolution/mod.ts";
import { shellWord } from "../../arguments.ts";
import type { CliContext } from "../../context.ts";
import { ExitCode } from "../../exit_code.ts";
import { documentText } from "../../output/format.ts";
import { UsageError } from "../../usage_error.ts";
import type { CrdPlanFlags } from "./crd.ts";
import { loadDefinitions } from "./load_definitions.ts";

/**
 * Runs `kubectl xca crd plan`: prints, for each definition that both sources contain, the steps to
 * the storage version of the new definition, or with `--print` the definition of one step.
 *
 * @throws {UsageError} When both sources are standard input, a source cannot be read, the sources
 * have no definition in common, or a plan lacks the step of `--print`.
 * @throws {MissingResourceError} When a source names a definition that the cluster lacks.
 */
export async function crdPlan(
  oldSource: string,
  newSource: string,
  flags: CrdPlanFlags,
  context: CliContext,
): Promise<ExitCode> {
  if (oldSource === "-" && newSource === "-") {
    throw new UsageError("only one of OLD and NEW can be standard input");
  }
  const old = await loadDefinitions(oldSource, flags, context);
  const now = await loadDefinitions(newSource, flags, context);
  const plans = pairs(old, now, newSource).map(([before, after]) => planOf(before, after));
  if (flags.print !== undefined) {
    for (const { crd, steps } of plans) {
      const step = steps.find(({ name }) => name === flags.print);
      if (step?.definition === undefined) {
        throw new UsageError(`the plan of ${crd} has no step ${flags.print}`);
      }
      context.out(`---\n${await documentText(step.definition, "yaml")}`);
    }
    return ExitCode.ok;
  }
  context.out(
    flags.format === "json"
      ? `${JSON.stringify(plans, null, 2)}\n`
      : plans.map((plan) => planText(plan, oldSource, newSource)).join("\n"),
  );
  return ExitCode.ok;
}

function planOf(
  current: V1CustomResourceDefinition,
  next: V1CustomResourceDefinition,
): StoragePlan {
  try {
    return planStorage(current, next);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * Returns the old and the new form of each CustomResourceDefinition that both sources contain,
 * matched by name.
 *
 * @throws {UsageError} When both sources have no definition in common.
 */
function pairs(
  old: readonly V1CustomResourceDefinition[],
  now: readonly V1CustomResourceDefinition[],
  source: string,
): (readonly [V1CustomResourceDefinition, V1CustomResourceDefinition])[] {
  const found = old.flatMap((before) => {
    const after = now.find(({ metadata }) => metadata.name === before.metadata.name);
    return after === undefined ? [] : [[before, after] as const];
  });
  if (found.length > 0) return found;
  const names = old.map(({ metadata }) => metadata.name).join(", ");
  throw new UsageError(`${source} has no definition ${names}`);
}

function planText(plan: StoragePlan, oldSource: string, newSource: string): string {
  const { crd, steps, storedVersions, target } = plan;
  const stored = `objects are stored as ${storedVersions.join(", ")}`;
  if (steps.length === 0) {
    return `${crd}: ${stored}; the new definition can be installed: ` +
      `kubectl apply -f ${shellWord(newSource)}\n`;
  }
  const lines = steps.flatMap((step, index) => {
    const head = `${step.state.padEnd(5)} ${index + 1}. ${step.title}`;
    if (step.state === "done") return [head];
    return [head, `         ${step.why}`, `         ${command(step, plan, oldSource, newSource)}`];
  });
  return [`${crd}: ${stored}, and move to ${target}`, ...lines].map((line) => `${line}\n`).join("");
}

function command(
  { name }: StorageStep,
  { crd, target }: StoragePlan,
  oldSource: string,
  newSource: string,
): string {
  const [old, now] = [shellWord(oldSource), shellWord(newSource)];
  switch (name) {
    case "migrate":
      return `kubectl xca crd migrate ${crd}`;
    case "prune": {
      const patch = JSON.stringify({ status: { storedVersions: [target] } });
      return `the command above does it; by hand: kubectl patch crd ${crd} --subresource=status ` +
        `--type=merge -p '${patch}'`;
    }
    case "remove":
      return `kubectl apply -f ${now}`;
    default:
      return `kubectl xca crd plan ${old} ${now} --print ${name} | kubectl apply -f -`;
  }
}
