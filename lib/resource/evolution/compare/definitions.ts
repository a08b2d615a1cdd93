/**
 * Comparison of the parts of two definitions that all versions share: names, scope, the set of
 * versions, conversion.
 *
 * @module
 */
import type {
  V1CustomResourceDefinition,
  V1CustomResourceDefinitionSpec,
} from "@xca/apimachinery/kubernetes-types";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import type { ChangeLevel, Report } from "../change.ts";

type Change = (level: ChangeLevel, rule: string, path: string, reason: string) => void;

/**
 * Compares the parts of two CustomResourceDefinitions that all versions share, such as names,
 * scope, conversion and the set of versions, and reports each difference.
 */
export function compareDefinitions(
  old: V1CustomResourceDefinition,
  now: V1CustomResourceDefinition,
  report: Report,
): void {
  const change: Change = (level, rule, path, reason) => report({ level, rule, path, reason });
  compareIdentity(old.spec, now.spec, change);
  compareNames(old.spec, now.spec, change);
  if (old.spec.preserveUnknownFields && !now.spec.preserveUnknownFields) {
    const reason = "unknown fields are no longer kept: the API server drops them";
    change("breaking", "unknown-fields-dropped", "spec.preserveUnknownFields", reason);
  }
  compareConversion(old.spec, now.spec, change);
  compareVersionSets(old, now, change);
}

function compareIdentity(
  old: V1CustomResourceDefinitionSpec,
  now: V1CustomResourceDefinitionSpec,
  change: Change,
): void {
  const compare = (path: string, before: string, after: string): void => {
    if (before === after) return;
    const reason =
      `it changes from ${before} to ${after}, and is immutable: the API server refuses ` +
      "the definition; delete the old one, with all its objects, or use another name";
    change("breaking", "immutable", path, reason);
  };
  compare("spec.group", old.group, now.group);
  compare("spec.names.plural", old.names.plural, now.names.plural);
  compare("spec.names.kind", old.names.kind, now.names.kind);
  compare("spec.scope", old.scope, now.scope);
}

function compareNames(
  { names: old }: V1CustomResourceDefinitionSpec,
  { names: now }: V1CustomResourceDefinitionSpec,
  change: Change,
): void {
  const lists = { shortNames: "short name", categories: "category" } as const;
  for (const [field, noun] of Object.entries(lists) as ["shortNames" | "categories", string][]) {
    const [before, after] = [old[field] ?? [], now[field] ?? []];
    const gone = before.filter((name) => !after.includes(name));
    const more = after.filter((name) => !before.includes(name));
    const path = `spec.names.${field}`;
    for (const name of gone) {
      const reason = `the ${noun} ${name} is gone: commands that use it fail`;
      change("warning", "name-removed", path, reason);
    }
    for (const name of more) change("safe", "name-added", path, `the ${noun} ${name} is new`);
  }
  const singular = [old, now].map((each) => each.singular || each.kind.toLowerCase());
  if (singular[0] !== singular[1]) {
    const reason = `it changes from ${singular[0]} to ${singular[1]}: commands that use it fail`;
    change("warning", "name-changed", "spec.names.singular", reason);
  }
  const list = [old, now].map((each) => each.listKind || `${each.kind}List`);
  if (list[0] !== list[1]) {
    const reason =
      `it changes from ${list[0]} to ${list[1]}: clients that check the kind of lists ` +
      "fail";
    change("breaking", "name-changed", "spec.names.listKind", reason);
  }
}

/**
 * Returns the conversion strategy between the versions of a CustomResourceDefinition, by default
 * `None`.
 */
export function strategyOf({ spec }: V1CustomResourceDefinition): string {
  return spec.conversion?.strategy || "None";
}

function compareConversion(
  old: V1CustomResourceDefinitionSpec,
  now: V1CustomResourceDefinitionSpec,
  change: Change,
): void {
  const [before, after] = [old, now].map((each) => each.conversion?.strategy || "None");
  const path = "spec.conversion.strategy";
  if (before !== after) {
    const reason = after === "None"
      ? "objects are no longer converted by the webhook: only their apiVersion changes"
      : "a webhook converts objects now: reads and writes fail while it does not answer";
    return change("warning", "conversion-changed", path, reason);
  }
  const [webhook, webhookNow] = [old, now].map((each) => {
    const { caBundle: _, ...config } = each.conversion?.webhook?.clientConfig ?? {};
    return config;
  });
  if (after === "Webhook" && !jsonEqual(webhook, webhookNow)) {
    const at = "spec.conversion.webhook.clientConfig";
    change("warning", "conversion-changed", at, "the address of the conversion webhook changes");
  }
}

/**
 * Compares the sets of versions of two CustomResourceDefinitions, and their storage versions, and
 * reports each difference.
 */
function compareVersionSets(
  old: V1CustomResourceDefinition,
  now: V1CustomResourceDefinition,
  change: Change,
): void {
  const stored = storedVersionsOf(old);
  for (const version of old.spec.versions) {
    if (now.spec.versions.some(({ name }) => name === version.name)) continue;
    const path = `spec.versions[${version.name}]`;
    if (stored.includes(version.name)) {
      const reason =
        "the version is removed, and objects may be stored in it: the API server refuses " +
        "the definition until status.storedVersions no longer has it; see kubectl xca crd plan";
      change("breaking", "stored-version-removed", path, reason);
    } else if (version.served) {
      const reason = "the version is removed: requests of it fail";
      change("breaking", "version-removed", path, reason);
    } else {
      const reason = "the version is removed, which was neither served nor stored";
      change("safe", "version-removed", path, reason);
    }
  }
  for (const version of now.spec.versions) {
    if (old.spec.versions.some(({ name }) => name === version.name)) continue;
    change("safe", "version-added", `spec.versions[${version.name}]`, "the version is new");
  }
  const [before, after] = [storageVersionOf(old), storageVersionOf(now)];
  if (before === after || before === undefined || after === undefined) return;
  const isKnown = old.spec.versions.some(({ name }) => name === after);
  const reason = `the storage version changes from ${before} to ${after}: objects stay stored in ` +
    `${before} until they are written again; see kubectl xca crd plan` +
    (isKnown ? "" : `; the old definition lacks ${after}, so that it cannot be installed again`);
  change("warning", "storage-version-changed", `spec.versions[${after}].storage`, reason);
}

/**
 * Returns the name of the storage version of a CustomResourceDefinition; `undefined` without one.
 */
export function storageVersionOf({ spec }: V1CustomResourceDefinition): string | undefined {
  return spec.versions.find(({ storage }) => storage)?.name;
}

/**
 * Returns the names of the versions in which objects may be stored: `status.storedVersions` of the
 * definition, or, if that is empty, the storage version.
 */
export function storedVersionsOf(definition: V1CustomResourceDefinition): readonly string[] {
  const known = definition.status?.storedVersions ?? [];
  const storage = storageVersionOf(definition);
  return known.length > 0 ? known : storage === undefined ? [] : [storage];
}
