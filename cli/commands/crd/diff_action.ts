import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import {
  type CrdChange,
  definitionProblems,
  diffCrds,
  withWitnesses,
  worstLevel,
} from "../../../lib/resource/evolution/mod.ts";
import type { CliContext } from "../../context.ts";
import { ExitCode } from "../../exit_code.ts";
import { UsageError } from "../../usage_error.ts";
import type { CrdDiffFlags } from "./crd.ts";
import { changesText } from "./changes_text.ts";
import { loadDefinitions } from "./load_definitions.ts";

/**
 * Runs `kubectl xca crd diff`: compares old and new CustomResourceDefinitions, and prints the
 * changes with their effects. An old definition from the cluster is compared only with the new one
 * of the same name. Returns exit code 1 if a change is breaking, or with `--strict` a warning.
 *
 * @throws {UsageError} When both sources are standard input, a source cannot be read, the new one
 * lacks the definition, or an API server would refuse a new definition.
 * @throws {MissingResourceError} When a source names a definition that the cluster lacks.
 */
export async function crdDiff(
  oldSource: string,
  newSource: string,
  flags: CrdDiffFlags,
  context: CliContext,
): Promise<ExitCode> {
  if (oldSource === "-" && newSource === "-") {
    throw new UsageError("only one of OLD and NEW can be standard input");
  }
  const old = await loadDefinitions(oldSource, flags, context);
  const all = await loadDefinitions(newSource, flags, context);
  // A definition of the cluster is compared only with the definition of the same name in the file.
  const isOne = old.length === 1 && oldSource === old[0]!.metadata.name;
  const now = isOne ? all.filter(({ metadata }) => metadata.name === oldSource) : all;
  if (now.length === 0) throw new UsageError(`${newSource} has no definition ${oldSource}`);
  for (const definition of now) await checkDefinition(definition, newSource);
  const changes = await withAllWitnesses(diffCrds(old, now), old, now);
  const level = worstLevel(changes);
  context.out(
    flags.format === "json"
      ? `${JSON.stringify({ level, changes }, null, 2)}\n`
      : changesText(changes),
  );
  const fails = level === "breaking" || (level === "warning" && flags.strict === true);
  return fails ? ExitCode.notSo : ExitCode.ok;
}

async function checkDefinition(
  definition: V1CustomResourceDefinition,
  source: string,
): Promise<void> {
  const problems = await definitionProblems(definition);
  if (problems.length === 0) return;
  const { name } = definition.metadata;
  throw new UsageError(
    `an API server refuses ${name} of ${source}:\n${
      problems.map((each) => `  ${each}`).join("\n")
    }`,
  );
}

async function withAllWitnesses(
  changes: readonly CrdChange[],
  old: readonly V1CustomResourceDefinition[],
  now: readonly V1CustomResourceDefinition[],
): Promise<readonly CrdChange[]> {
  let found = changes;
  for (const definition of now) {
    const { name } = definition.metadata;
    const before = old.find(({ metadata }) => metadata.name === name);
    if (before === undefined) continue;
    const own = await withWitnesses(found.filter(({ crd }) => crd === name), before, definition);
    let next = 0;
    found = found.map((change) => change.crd === name ? own[next++]! : change);
  }
  return found;
}
