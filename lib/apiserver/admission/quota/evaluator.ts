import type { AdmissionRequest } from "../../machinery/admission.ts";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { RegistryReader } from "../../machinery/registry_reader.ts";
import type { Amounts } from "./amounts.ts";

/** One condition of a quota's scope. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** What usage is counted in the light of. */
export interface UsageContext {
  readonly registry: RegistryReader;
  readonly now: Date;
}

/** Knows how the objects of one resource use up a quota. */
export interface Evaluator {
  /** Whether a write can change what is used. */
  handles(request: AdmissionRequest): boolean;
  /** Those of the names under which quotas count that this one counts. */
  matching(names: readonly string[], registry: RegistryReader): readonly string[];
  /** Whether an object is within a scope. @default {no object is} */
  inScope?(object: ApiObject, requirement: ScopeRequirement): boolean;
  /** Why an object cannot be counted by these names, or `undefined`. */
  problem?(object: ApiObject, names: readonly string[]): string | undefined;
  /** What one object uses. */
  usage(object: ApiObject, context: UsageContext): Amounts;
}

/** The name under which objects of a resource are counted. */
export function objectCount(group: string, plural: string): string {
  return group === "" ? `count/${plural}` : `count/${plural}.${group}`;
}

/** Whether a value meets the requirement of a scope that has values. */
export function meetsRequirement(
  { operator, values = [] }: ScopeRequirement,
  value: string | undefined,
): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    default:
      return value === undefined;
  }
}
