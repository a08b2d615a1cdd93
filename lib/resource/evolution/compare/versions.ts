/**
 * Comparison of the settings and schemas of the versions that two definitions have in common.
 *
 * @module
 */
import type {
  V1CustomResourceDefinitionVersion,
  V1CustomResourceSubresources,
  V1JSONSchemaProps,
} from "@xca/apimachinery/kubernetes-types";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import type { ChangeLevel, Report } from "../change.ts";
import { compareSchemas } from "./schemas.ts";

type Version = V1CustomResourceDefinitionVersion;

/**
 * Returns the schema of a version's objects; for a version without one, a schema that drops every
 * field.
 */
export function schemaOf(version: Version): V1JSONSchemaProps {
  return version.schema?.openAPIV3Schema ?? { type: "object" };
}

/**
 * Compares one version in two CustomResourceDefinitions and reports each difference, except in the
 * text of the deprecation warning and in which version is stored.
 */
export function compareVersions(old: Version, now: Version, report: Report): void {
  const at = `spec.versions[${now.name}]`;
  const change = (level: ChangeLevel, rule: string, field: string, reason: string): void =>
    report({ level, rule, path: `${at}.${field}`, reason });
  if (old.served && !now.served) {
    const reason = "the version is no longer served: requests of it fail";
    change("breaking", "version-unserved", "served", reason);
  } else if (!old.served && now.served) {
    change("safe", "version-served", "served", "the version is served now");
  }
  if (Boolean(old.deprecated) !== Boolean(now.deprecated)) {
    const reason = now.deprecated
      ? "the version is deprecated: the API server warns its clients"
      : "the version is no longer deprecated";
    change("safe", "version-deprecated", "deprecated", reason);
  }
  compareSubresources(old.subresources ?? {}, now, change);
  compareSelectableFields(old, now, change);
  if (!jsonEqual(old.additionalPrinterColumns ?? [], now.additionalPrinterColumns ?? [])) {
    const reason = "the columns of kubectl get change";
    change("safe", "printer-columns-changed", "additionalPrinterColumns", reason);
  }
  compareSchemas(schemaOf(old), schemaOf(now), report);
}

type Change = (level: ChangeLevel, rule: string, field: string, reason: string) => void;

function compareSubresources(
  old: V1CustomResourceSubresources,
  version: Version,
  change: Change,
): void {
  const now = version.subresources ?? {};
  if (old.status && !now.status) {
    const reason =
      "the status subresource is gone: requests of it fail, and everyone who may write " +
      "the object may write its status";
    change("breaking", "status-removed", "subresources.status", reason);
  } else if (!old.status && now.status) {
    const keepsStatus = schemaOf(version).properties?.status !== undefined ||
      schemaOf(version)["x-kubernetes-preserve-unknown-fields"];
    const reason = keepsStatus
      ? "the status is a subresource now: writes of the object no longer change its status"
      : "the status is a subresource now";
    change(keepsStatus ? "breaking" : "safe", "status-added", "subresources.status", reason);
  }
  const [before, after] = [old.scale, now.scale];
  if (before && !after) {
    const reason = "the scale subresource is gone: kubectl scale and autoscalers fail";
    change("breaking", "scale-removed", "subresources.scale", reason);
  } else if (!before && after) {
    change("safe", "scale-added", "subresources.scale", "the resource can be scaled now");
  } else if (before && after) {
    for (const field of ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"] as const) {
      if ((before[field] ?? "") === (after[field] ?? "")) continue;
      const reason = `the path changes from ${before[field] || "none"} to ${
        after[field] || "none"
      }`;
      const isAdded = !before[field];
      const consequence = isAdded ? "" : ": autoscalers read and write other fields";
      const level = isAdded ? "safe" : "breaking";
      change(level, "scale-path-changed", `subresources.scale.${field}`, reason + consequence);
    }
  }
}

function compareSelectableFields(old: Version, now: Version, change: Change): void {
  const paths = ({ selectableFields = [] }: Version): string[] =>
    selectableFields.map(({ jsonPath }) => jsonPath);
  for (const path of paths(old).filter((each) => !paths(now).includes(each))) {
    const reason = `${path} is no longer selectable: lists and watches by it are refused`;
    change("breaking", "selectable-field-removed", "selectableFields", reason);
  }
  for (const path of paths(now).filter((each) => !paths(old).includes(each))) {
    change("safe", "selectable-field-added", "selectableFields", `${path} is selectable now`);
  }
}
