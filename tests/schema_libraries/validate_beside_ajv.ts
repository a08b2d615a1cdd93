/**
 * A program that measures local validation beside ajv's compiled validator on the schema of a custom
 * resource, in turns, and prints the CPU time per object of each round, as JSON.
 *
 * @module
 */
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import process from "node:process";
import { defineResource, s, validate } from "../../lib/resource/mod.ts";

const OBJECTS = 20_000;
const rounds = Number(Deno.args[0] ?? 9);

const Website = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Website",
  spec: s.object({
    image: s.string({ minLength: 1, maxLength: 255, pattern: "^[a-z0-9./:-]+$" }),
    replicas: s.integer({ format: "int32", minimum: 0, maximum: 100 }),
    mode: s.enum(["Static", "Dynamic"]),
    since: s.dateTime(),
    memory: s.quantity(),
    labels: s.map(s.string({ maxLength: 63 })),
    ports: s.array(
      s.object({
        name: s.string({ maxLength: 15 }),
        port: s.integer({ minimum: 1, maximum: 65535 }),
        protocol: s.enum(["TCP", "UDP"]),
      }),
      { listType: "map", mapKeys: ["name"], maxItems: 16 },
    ),
    template: s.kubernetes("V1PodTemplateSpec"),
  }),
});

/** Returns a valid object; each is another one, as those that arrive from users. */
function website(index: number): Parameters<typeof validate>[1] {
  return {
    apiVersion: "example.com/v1",
    kind: "Website",
    metadata: { name: `site-${index}`, namespace: "default" },
    spec: {
      image: `registry.example.com/site:${index}`,
      replicas: index % 100,
      mode: "Static",
      since: "2026-01-31T12:00:00Z",
      memory: "512Mi",
      labels: { app: "web", tier: "front" },
      ports: [
        { name: "http", port: 80, protocol: "TCP" },
        { name: "https", port: 443, protocol: "TCP" },
      ],
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          containers: [{
            name: "web",
            image: "nginx",
            env: [{ name: "MODE", value: "fast" }],
            resources: { limits: { cpu: "500m", memory: "1Gi" } },
            ports: [{ containerPort: 80, protocol: "TCP" }],
          }],
          volumes: [{ name: "settings", configMap: { name: "settings" } }],
        },
      },
    },
  };
}

const ajv = new Ajv({ allErrors: true, strict: false });
// deno-lint-ignore no-explicit-any -- the package's types are those of CommonJS
(addFormats as any)(ajv);
const check = ajv.compile(
  structuredClone(Website.crd.spec.versions[0]!.schema!.openAPIV3Schema!) as object,
);

const objects = Array.from({ length: 1000 }, (_, index) => website(index));
for (const object of objects) {
  const problems = await validate(Website, object);
  if (problems.length > 0 || !check(object)) {
    throw new Error(`${JSON.stringify(problems)} ${JSON.stringify(check.errors)}`);
  }
}

async function cpuPerObject(work: (object: (typeof objects)[number]) => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < OBJECTS; count++) await work(objects[count % objects.length]!);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / OBJECTS;
}

const pairs: [number, number][] = [];
for (let round = -2; round < rounds; round++) {
  const ours = await cpuPerObject((object) => validate(Website, object));
  // The promise that a call of ours returns is a part of its cost, and not of ajv's.
  const before = process.cpuUsage();
  for (let count = 0; count < OBJECTS; count++) check(objects[count % objects.length]);
  const { user, system } = process.cpuUsage(before);
  if (round >= 0) pairs.push([ours, (user + system) / OBJECTS]);
}
// deno-lint-ignore no-console -- the figures go to the bench
console.log(JSON.stringify(pairs));
