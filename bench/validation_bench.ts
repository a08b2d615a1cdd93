import { defineResource, s } from "@xca/operator/resource";
import { validatorOf } from "../lib/resource/validation/validate.ts";
import type { BenchContext } from "./support/context.ts";
import { cpuPer, type Row, row } from "./support/measure.ts";

/** The largest allowed ratio of the validation's CPU time to that of ajv's compiled function. */
const TARGET = 2;
const OBJECTS = 200;
const PASSES = 100;

/** The packages of the baseline, which only this bench uses. */
const AJV = ["npm:ajv@8.17.1", "npm:ajv-formats@3.0.1"] as const;

/**
 * The resource of the validated objects, with names, numbers, enums, lists and maps, as most kinds
 * have.
 */
const Service = defineResource({
  group: "bench.example.org",
  version: "v1",
  kind: "Site",
  spec: s.object({
    hostname: s.string({ maxLength: 253, pattern: "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$" }),
    image: s.string({ minLength: 1 }),
    replicas: s.integer({ format: "int32", minimum: 0, maximum: 1000 }),
    policy: s.enum(["Always", "IfNotPresent", "Never"]),
    paused: s.boolean(),
    since: s.dateTime(),
    labels: s.map(s.string({ maxLength: 63 })),
    arguments: s.array(s.string(), { maxItems: 16 }),
    ports: s.array(
      s.object({
        name: s.string({ maxLength: 15 }),
        port: s.intOrString(),
        protocol: s.enum(["TCP", "UDP"]),
      }),
      { listType: "map", mapKeys: ["name"] },
    ),
    resources: s.object({ cpu: s.quantity(), memory: s.quantity() }),
  }),
  status: s.object({ ready: s.integer({ minimum: 0 }), message: s.optional(s.string()) }),
});

/** A compiled validation function. */
type Validate = (object: unknown) => boolean;

function siteAt(index: number): Record<string, unknown> {
  return {
    apiVersion: "bench.example.org/v1",
    kind: "Site",
    metadata: { name: `site-${index}`, namespace: "default" },
    spec: {
      hostname: `www${index}.example.org`,
      image: "registry.example.org/site:1",
      replicas: index % 7,
      policy: "IfNotPresent",
      paused: false,
      since: "2026-01-31T12:00:00Z",
      labels: { app: "site", tier: "web", index: String(index) },
      arguments: ["--listen", ":8080", "--root", "/srv"],
      ports: [
        { name: "http", port: 8080, protocol: "TCP" },
        { name: "metrics", port: "metrics", protocol: "TCP" },
      ],
      resources: { cpu: "500m", memory: "256Mi" },
    },
    status: { ready: 1 },
  };
}

/**
 * Measures the local validation of objects beside the function that ajv compiles from the same
 * schema, in turns: valid objects, and objects with a fault.
 */
export async function validationRows(context: BenchContext): Promise<Row[]> {
  context.say("local validation beside ajv");
  const validator = await validatorOf(Service);
  const own: Validate = (object) => validator.validate(object as never).length === 0;
  const baseline = await compiledByAjv();
  const valid = Array.from({ length: OBJECTS }, (_, index) => siteAt(index));
  const invalid = valid.map((site) => ({
    ...site,
    spec: { ...site.spec as Record<string, unknown>, replicas: -1 },
  }));
  const rows: Row[] = [];
  for (
    const [name, objects, isValid] of [["valid", valid, true], ["invalid", invalid, false]] as const
  ) {
    const pairs: [number, number][] = [];
    const rounds = context.rounds ?? (context.quick ? 5 : 15);
    for (let round = -3; round < rounds; round++) {
      const pair: [number, number] = [
        cost(own, objects, isValid),
        cost(baseline, objects, isValid),
      ];
      if (round >= 0) pairs.push(pair);
    }
    rows.push(row(
      `validation of ${name} objects beside ajv`,
      "us CPU",
      pairs,
      isValid ? TARGET : undefined,
    ));
  }
  return rows;
}

async function compiledByAjv(): Promise<Validate> {
  const [{ default: ajvModule }, { default: formats }] = await Promise.all(
    AJV.map((each) => import(each)),
  );
  const Ajv = ajvModule.default ?? ajvModule;
  const ajv = new Ajv({ strict: false });
  (formats.default ?? formats)(ajv);
  return ajv.compile(Service.crd.spec.versions[0]!.schema!.openAPIV3Schema!);
}

/** Returns the CPU time of one validation in microseconds. */
function cost(validate: Validate, objects: readonly unknown[], isValid: boolean): number {
  return cpuPer(objects.length * PASSES, () => {
    for (let pass = 0; pass < PASSES; pass++) {
      for (const object of objects) {
        if (validate(object) !== isValid) throw new Error("The verdict on an object is wrong");
      }
    }
  });
}
