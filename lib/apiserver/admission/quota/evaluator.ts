import type { AdmissionRequest } from "../../machinery/admission.ts";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { RegistryReader } from "../../machinery/registry_reader.ts";
import type { Amounts } from "./amounts.ts";

/** One requirement of a quota's scope selector. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** The inputs of a usage calculation beside the object. */
export interface UsageContext {
  readonly registry: RegistryReader;
  readonly now: Date;
}

/** Calculates the quota usage of the objects of one resource. */
export interface Evaluator {
  /** Reports whether a write can change the usage. */
  handles(request: AdmissionRequest): boolean;
  /** Returns those of the names that this evaluator counts. */
  matching(names: readonly string[], registry: RegistryReader): readonly string[];
  /** Reports whether an object is in a scope. @default {no object is} */
  inScope?(object: ApiObject, requirement: ScopeRequirement): boolean;
  /** Returns why the usage of an object cannot be calculated for these quota names, or `undefined`. */
  problem?(object: ApiObject, names: readonly string[]): string | undefined;
  /** Returns the usage of one object. */
  usage(object: ApiObject, context: UsageContext): Amounts;
}

/** Returns the quota name for the number of objects of a resource. */
export function objectCount(group: string, plural: string): string {
  return group === "" ? `count/${plural}` : `count/${plural}.${group}`;
}

/** Reports whether a value meets the requirement of a scope. */
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
