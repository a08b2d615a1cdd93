import { deploymentRulesOf } from "../../../lib/project/mod.ts";
import {
  type AccessDifference,
  compareAccess,
  compareManifests,
  needsOf,
  rbacManifests,
  rulesOf,
  type RulesOptions,
} from "../../../lib/rbac/mod.ts";
import type { CliContext } from "../../context.ts";
import { ExitCode } from "../../exit_code.ts";
import { documentText } from "../../output/format.ts";
import { locateProject } from "../project/load_project.ts";
import { checkRbacFlags, type RbacFlags } from "./rbac.ts";
import { readManifests, readObserved } from "./rbac_files.ts";

/**
 * Runs `kubectl xca rbac`: prints the RBAC manifests of an operator, or with `--check` compares the
 * operator's needs with given manifests and observed accesses. Returns exit code 1 if the
 * comparison finds a difference.
 *
 * @throws {ProjectError} When the folder is in no project, or the project's settings are wrong.
 * @throws {UsageError} When flags contradict each other, or the module or a file of the comparison
 * cannot be used.
 */
export async function rbac(
  argument: string | undefined,
  flags: RbacFlags,
  context: CliContext,
): Promise<ExitCode> {
  checkRbacFlags(flags);
  const { operator, settings } = await locateProject(argument, context);
  const name = flags.name ?? settings.name;
  const namespace = flags.systemNamespace ?? settings.namespace;
  const deployed = deploymentRulesOf(operator, {
    name,
    namespace,
    watchNamespaces: flags.namespaces,
    certificates: flags.certificates,
  });
  const options: RulesOptions = {
    ...deployed,
    leaderElection: flags.leaderElect === false ? undefined : deployed.leaderElection,
    metricsServer: flags.metrics === false ? undefined : deployed.metricsServer,
  };
  if (flags.check) {
    const needs = needsOf(operator, options);
    const { manifests, observed, observedUser } = flags;
    return report([
      ...manifests === undefined
        ? []
        : compareManifests(needs, await readManifests(manifests, context)),
      ...observed === undefined
        ? []
        : compareAccess(needs, await readObserved(observed, observedUser, context)),
    ], context);
  }
  const format = flags.output === "json" ? "json" : "yaml";
  if (flags.output === "rules") {
    const { needs: _, ...rules } = rulesOf(operator, options);
    context.out(await documentText(JSON.parse(JSON.stringify(rules)), format));
    return ExitCode.ok;
  }
  const objects = rbacManifests(operator, {
    ...options,
    namespace,
    userRoles: flags.userRoles !== false,
  });
  const texts = await Promise.all(objects.map((object) => documentText(object, format)));
  context.out(texts.join(format === "json" ? "" : "---\n"));
  return ExitCode.ok;
}

/**
 * Prints the differences between an operator's needs and the given manifests or observed accesses,
 * one per line; returns exit code 1 if there is a difference, else 0.
 */
function report(differences: readonly AccessDifference[], context: CliContext): ExitCode {
  for (const { kind, message } of differences) context.out(`${kind}: ${message}\n`);
  if (differences.length === 0) {
    context.err("RBAC: no rule is lacking, and each is needed\n");
    return ExitCode.ok;
  }
  const count = (kind: string): number => differences.filter((each) => each.kind === kind).length;
  context.err(`error: RBAC: ${count("lack")} lacking, ${count("excess")} not needed\n`);
  return ExitCode.notSo;
}
