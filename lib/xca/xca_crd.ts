import type {
  V1CustomResourceDefinition,
  V1JSONSchemaProps,
} from "@xca/apimachinery/kubernetes-types";
import type { ResourceType } from "@xca/apimachinery/meta";
import { Xca } from "./xca.ts";
import { Xtls } from "./xtls.ts";

const PRINTER_COLUMNS = [
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

/** The CustomResourceDefinition of {@linkcode Xca}. */
export const xcaCrd: V1CustomResourceDefinition = crdOf(Xca);

/** The CustomResourceDefinition of {@linkcode Xtls}. */
export const xtlsCrd: V1CustomResourceDefinition = crdOf(Xtls);

function crdOf(type: ResourceType): V1CustomResourceDefinition {
  const { group, version, kind, plural, scope } = type;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: schemaOf(kind) },
        additionalPrinterColumns: PRINTER_COLUMNS,
      }],
    },
  };
}

function schemaOf(kind: string): V1JSONSchemaProps {
  return {
    type: "object",
    description: `${kind} is the Schema for the ${kind} API.`,
    properties: {
      apiVersion: {
        type: "string",
        description: "The group and version of this representation of the object.",
      },
      kind: { type: "string", description: "The kind of the object." },
      metadata: { type: "object" },
      spec: {
        type: "object",
        description: `The desired state of the ${kind}.`,
        properties: {
          foo: { type: "string", description: `An example field of the ${kind}.` },
        },
      },
      status: {
        type: "object",
        description: `The observed state of the ${kind}.`,
        required: ["last_update_time"],
        properties: {
          active: { type: "boolean", description: "Whether the operator has seen the object." },
          last_update_time: {
            type: "string",
            format: "date-time",
            description: "The time at which the operator last wrote this status.",
          },
        },
      },
    },
  };
}
