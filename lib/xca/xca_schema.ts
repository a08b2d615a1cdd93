import type { PrinterColumn } from "../resource/definition/resource_init.ts";
import { boolean } from "../resource/schema/builders/choice.ts";
import { optional } from "../resource/schema/builders/modifier.ts";
import { object } from "../resource/schema/builders/object.ts";
import type { OptionalSchema, Schema } from "../resource/schema/schema.ts";
import { dateTime, string } from "../resource/schema/builders/text.ts";

/** The fields of the desired state (`spec`) of the kinds Xca and Xtls. */
interface Spec {
  foo?: string;
}

/** The fields of the observed state (`status`) of the kinds Xca and Xtls. */
interface Status {
  active?: boolean;
  last_update_time: string;
}

/** The columns that `kubectl get` prints for objects of the kinds Xca and Xtls. */
export const PRINTER_COLUMNS: readonly PrinterColumn[] = [
  { name: "Foo", type: "string", jsonPath: ".spec.foo", description: "The example field." },
  {
    name: "Active",
    type: "boolean",
    jsonPath: ".status.active",
    description: "Whether the operator has seen the object.",
  },
  {
    name: "Last Update",
    type: "date",
    jsonPath: ".status.last_update_time",
    description: "The time at which the operator last wrote the status.",
  },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
];

/** Returns the schema of the desired state (`spec`) of the kind Xca or Xtls. */
export function specOf(kind: string): OptionalSchema<Spec> {
  const foo = string({ description: `An example field of the ${kind}.` });
  return optional(
    object({ foo: optional(foo) }, { description: `The desired state of the ${kind}.` }),
  );
}

/** Returns the schema of the observed state (`status`) of the kind Xca or Xtls. */
export function statusOf(kind: string): Schema<Status> {
  return object({
    active: optional(boolean({ description: "Whether the operator has seen the object." })),
    last_update_time: dateTime({
      description: "The time at which the operator last wrote this status.",
    }),
  }, { description: `The observed state of the ${kind}.` });
}
