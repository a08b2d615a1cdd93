import assert from "node:assert/strict";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { xcaOperator } from "../../xca/mod.ts";
import { definitionModule } from "./definition_module.ts";
import { interfaceModule } from "./interface_module.ts";

const root = new URL("../../../", import.meta.url);

/** A definition with the schemas that are hard to write as code. */
const ODD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "records.dns.example.com", annotations: { note: 'a "note"' } },
  spec: {
    group: "dns.example.com",
    names: { kind: "Record", plural: "records", shortNames: ["rec"] },
    scope: "Cluster",
    conversion: { strategy: "None" },
    versions: [{
      name: "v1alpha1",
      served: true,
      storage: false,
      deprecated: true,
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    }, {
      name: "v1",
      served: true,
      storage: true,
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: "Age", type: "date", jsonPath: ".metadata.age" }],
      schema: {
        openAPIV3Schema: {
          type: "object",
          description: "Ends a comment */ and `quotes` ${it}.",
          required: ["spec"],
          properties: {
            apiVersion: { type: "string" },
            kind: { type: "string" },
            metadata: { type: "object" },
            spec: {
              type: "object",
              required: ["zone", "class", "my-field"],
              properties: {
                zone: {
                  type: "string",
                  pattern: "^[a-z\\.]+$",
                  description:
                    "One line\nanother, with a long text that is wrapped since it is wider " +
                    "than the comment may be, by far.\n\n\n  indented */",
                },
                class: { type: "string", enum: ["IN", "a'b\"c", "\\"] },
                "my-field": { type: "integer", format: "int64", minimum: 1 },
                delete: { type: "boolean", default: false },
                ttl: { type: "string", format: "duration" },
                since: { type: "string", format: "date-time", nullable: true },
                mode: { type: "string", enum: ["x", "y"], nullable: true, default: "x" },
                target: { "x-kubernetes-int-or-string": true },
                port: {
                  anyOf: [{ type: "integer" }, { type: "string" }],
                  "x-kubernetes-int-or-string": true,
                  description: "A port",
                },
                any: { "x-kubernetes-preserve-unknown-fields": true },
                open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                empty: { type: "object" },
                labels: { type: "object", additionalProperties: { type: "string" } },
                unknownFormat: { type: "string", format: "color" },
                embedded: {
                  type: "object",
                  "x-kubernetes-embedded-resource": true,
                  "x-kubernetes-preserve-unknown-fields": true,
                },
                items: {
                  type: "array",
                  maxItems: 3,
                  "x-kubernetes-list-type": "map",
                  "x-kubernetes-list-map-keys": ["name"],
                  items: {
                    type: "object",
                    required: ["name"],
                    properties: { name: { type: "string" }, weight: { type: "number" } },
                    oneOf: [{ required: ["weight"] }, { not: { required: ["weight"] } }],
                  },
                },
                modes: { type: "array", items: { type: "string", enum: ["long", "short"] } },
                matrix: { type: "array", items: { type: "array", items: { type: "integer" } } },
                first: {
                  type: "object",
                  properties: { key: { type: "string" }, n: { type: "string" } },
                },
                second: {
                  type: "object",
                  properties: { key: { type: "string" }, n: { type: "string" } },
                },
              },
              "x-kubernetes-validations": [{ rule: "self.zone != ''", message: "no zone" }],
            },
            status: {
              type: "object",
              "x-kubernetes-preserve-unknown-fields": true,
              properties: { ready: { type: "boolean" } },
            },
          },
        },
      },
    }],
  },
} as unknown as V1CustomResourceDefinition;

/** A definition as controller-gen writes it, with words in descriptions that are names of code too. */
const GENERATED = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: "httptriggerauthenticationpolicies.example.com",
    annotations: { "controller-gen.kubebuilder.io/version": "v0.19.0" },
  },
  spec: {
    group: "example.com",
    names: {
      kind: "HTTPTriggerAuthenticationPolicies",
      listKind: "HTTPTriggerAuthenticationPoliciesList",
      plural: "httptriggerauthenticationpolicies",
      singular: "httptriggerauthenticationpolicies",
    },
    scope: "Namespaced",
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      subresources: {},
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: {
            apiVersion: { type: "string", description: "APIVersion defines the Schema of it." },
            kind: { type: "string", description: "Kind is what a fromJson(text) names." },
            metadata: { type: "object" },
            spec: {
              type: "object",
              description: "A space\u00a0that may not break, and extend(it).",
              properties: {
                text: { type: "string" },
                one: {
                  type: "object",
                  default: { a: "x" },
                  properties: { a: { type: "string" }, c: { type: "string" } },
                },
                two: {
                  type: "object",
                  default: { a: "x" },
                  properties: { a: { type: "string" }, c: { type: "string" } },
                },
                match: {
                  type: "object",
                  properties: {
                    first: {
                      type: "object",
                      properties: { a: { type: "string" }, b: { type: "string" } },
                    },
                    second: {
                      type: "object",
                      properties: { a: { type: "string" }, b: { type: "string" } },
                    },
                  },
                  // s.map and s.object refuse these fields beside values: all of it becomes JSON.
                  additionalProperties: { type: "string" },
                },
              },
            },
          },
        },
      },
    }],
  },
} as unknown as V1CustomResourceDefinition;

const XCA = xcaOperator.crds as V1CustomResourceDefinition[];

/** Runs Deno on a module of the form that a user would have in a project. */
async function deno(folder: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(success ? stdout : stderr);
  assert(success, text);
  return text;
}

/** Writes modules, and a program, into a project that uses this repository. */
async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await Deno.makeTempDir();
  const config = {
    links: [root.pathname],
    imports: { "@xca/operator": "jsr:@xca/operator@^0.1.0" },
    lock: false,
  };
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config, null, 2) + "\n");
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  return folder;
}

/** Returns a definition with its lists of required fields sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) =>
      name === "required" && Array.isArray(each) ? [name, each.toSorted()] : [name, sorted(each)]
    ),
  );
}

Deno.test("both modules are formatted and type-check, and the first evaluates to the definitions", async () => {
  const program = `import { RecordResource, recordResourceDefinition, Xca } from "./module.ts";
import { RecordResource as Plain } from "./interfaces.ts";
const record: RecordResource = {
  metadata: { name: "a" },
  spec: {
    zone: "a",
    class: "IN",
    "my-field": 1,
    delete: false,
    mode: null,
    items: [{ name: "a" }],
    target: 80,
    labels: { a: "b" },
    modes: ["long"],
  },
};
const plain: Plain = {
  metadata: { name: "a" },
  spec: { zone: "a", class: "IN", "my-field": 1, target: "x", items: [{ name: "a" }], mode: null },
};
// @ts-expect-error the class is one of three
plain.spec.class = record.spec.zone;
const xca: Xca = { metadata: { name: "a" }, spec: { foo: "a" } };
const ids = [Plain.id, RecordResource.id, xca.spec?.foo];
console.log(JSON.stringify([recordResourceDefinition, Xca.crd, ids]));
`;
  const definitions = [ODD, ...XCA, GENERATED];
  const folder = await project({
    "module.ts": definitionModule(definitions),
    "interfaces.ts": interfaceModule(definitions),
    "program.ts": program,
  });
  await deno(folder, "fmt", "--check", "module.ts", "interfaces.ts");
  await deno(folder, "lint", "module.ts", "interfaces.ts");
  const [odd, xca, ids] = JSON.parse(await deno(folder, "run", "--check", "program.ts"));
  assert.deepEqual(sorted(odd), sorted(ODD));
  const { apiVersion, kind, metadata, spec } = JSON.parse(JSON.stringify(XCA[0]!));
  assert.deepEqual(sorted(xca), sorted({ apiVersion, kind, metadata, spec }));
  assert.deepEqual(ids, ["records.v1.dns.example.com", "records.v1.dns.example.com", "a"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a definition of controller-gen becomes a call of defineResource", () => {
  const text = definitionModule([GENERATED]);
  assert(text.includes("export const HTTPTriggerAuthenticationPolicies = defineResource({"), text);
  assert(text.includes("const httpTriggerAuthenticationPoliciesSpec = s.object({"), text);
});

Deno.test("constants that nothing refers to, and names in texts alone, are not in a module", () => {
  const text = definitionModule([GENERATED]);
  assert.deepEqual(text.match(/^(const|function) \w+/gm), [
    "function fromJson",
    "const httpTriggerAuthenticationPoliciesOne",
    "const httpTriggerAuthenticationPoliciesSpec",
  ]);
});

Deno.test("interfaces have comments that nothing in a description can end, and the defaults", () => {
  const text = interfaceModule([ODD]);
  assert(text.includes("/** Ends a comment *\\/ and `quotes` ${it}. */"), text);
  assert(text.includes("/** @default {false} */\n  delete?: boolean;"), text);
  assert(text.includes('  class: "IN" | "a\'b\\"c" | "\\\\";'), text);
  assert(text.includes('  "my-field": number;'), text);
  assert(text.includes("  since?: string | null;"), text);
  assert(text.includes("  embedded?: UnstructuredObject;"), text);
  assert(text.includes('  modes?: ("long" | "short")[];'), text);
  assert(text.includes("  matrix?: number[][];"), text);
  assert(text.includes("  empty?: Record<string, never>;"), text);
});

Deno.test("equal schemas have one interface, and kinds of the same name different ones", () => {
  const text = interfaceModule([ODD]);
  assert.equal(text.match(/^export interface RecordResource\w+ /gm)?.length, 4, text);
  const other = { ...ODD, spec: { ...ODD.spec, group: "other.example.com" } };
  assert.deepEqual(
    interfaceModule([ODD, other]).match(/^export const \w+/gm),
    ["export const RecordResource", "export const OtherRecord"],
  );
});

Deno.test("a version by name is the one of the main types; an unknown one is an error", () => {
  assert(interfaceModule([ODD], { version: "v1alpha1" }).includes('version: "v1alpha1"'));
  assert.throws(
    () => interfaceModule([ODD], { version: "v2" }),
    /records.dns.example.com has no version v2; it has v1alpha1, v1/,
  );
  const versions = ODD.spec.versions.map((each) => ({ ...each, storage: false }));
  const unstored = { ...ODD, spec: { ...ODD.spec, versions } };
  for (const generate of [interfaceModule, definitionModule]) {
    assert.throws(
      () => generate([unstored]),
      /records.dns.example.com has no storage version: .* it has v1alpha1, v1$/,
    );
  }
  const text = definitionModule([ODD], { version: "v1alpha1" });
  assert(/export type RecordResourceV1 =/.test(text), text);
});

Deno.test("a definition of a cluster loses the fields that the server sets", () => {
  const onServer = structuredClone({ ...XCA[0]! });
  Object.assign(onServer.metadata, { uid: "u", resourceVersion: "1", managedFields: [] });
  onServer.metadata.annotations = { "kubectl.kubernetes.io/last-applied-configuration": "{}" };
  Object.assign(onServer, { status: { storedVersions: ["v1"] } });
  const text = definitionModule([onServer]);
  for (
    const word of ["uid", "resourceVersion", "managedFields", "last-applied", "storedVersions"]
  ) {
    assert(!text.includes(word), word);
  }
});

Deno.test("definitionModule() leaves out metadata that is null, as an API server does", () => {
  const metadata = { name: ODD.metadata.name, labels: null, annotations: null };
  const definition = { ...ODD, metadata } as unknown as V1CustomResourceDefinition;
  const text = definitionModule([definition]);
  assert(text.includes('metadata: { name: "records.dns.example.com" }'), text.slice(0, 500));
  assert(!/\b(labels|annotations): null/.test(text));
});
