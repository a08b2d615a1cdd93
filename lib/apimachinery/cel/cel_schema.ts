// Mirrors `cel/common/adaptor.go, Schema`.
import type { Json } from "../values/api_object.ts";

/** A validation rule of a CustomResourceDefinition: an entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/**
 * A node of a CustomResourceDefinition's schema with the fields that CEL depends on, such as the
 * rules themselves and the types, maximum sizes and list keys of values.
 */
export interface CelSchema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, CelSchema>>;
  readonly additionalProperties?: boolean | CelSchema;
  readonly items?: CelSchema;
  readonly required?: readonly string[];
  readonly nullable?: boolean;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly CelSchema[];
  readonly anyOf?: readonly CelSchema[];
  readonly oneOf?: readonly CelSchema[];
  readonly not?: CelSchema;
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
}
