import assert from "node:assert/strict";
import { discoveryServer, type ServedVersion } from "../../../tests/client/discovery_server.ts";
import { createClient } from "../create_client.ts";
import { discoveryClient } from "./discovery_client.ts";
import type { ServerResources } from "./discovery_resource.ts";
import { mappingsOf } from "./rest_mapping.ts";
import { AmbiguousResourceError, noMatch } from "./rest_mapping_error.ts";

/** The resources of a fake server by version, in the order of priority. */
const SERVED: readonly ServedVersion[] = [
  {
    group: "",
    version: "v1",
    resources: [
      { plural: "pods", kind: "Pod", singular: "pod", shortNames: ["po"] },
      { plural: "events", kind: "Event", singular: "event", shortNames: ["ev"] },
    ],
  },
  { group: "events.k8s.io", version: "v1", resources: [{ plural: "events", kind: "Event" }] },
  {
    group: "autoscaling",
    version: "v2",
    resources: [{
      plural: "horizontalpodautoscalers",
      kind: "HorizontalPodAutoscaler",
      shortNames: ["hpa"],
    }],
  },
  {
    group: "autoscaling",
    version: "v1",
    resources: [
      {
        plural: "horizontalpodautoscalers",
        kind: "HorizontalPodAutoscaler",
        shortNames: ["hpa"],
      },
      { plural: "olds", kind: "Old" },
    ],
  },
  { group: "apps.kruise.io", version: "v1", resources: [{ plural: "sets", kind: "KruiseSet" }] },
  { group: "apps", version: "v1", resources: [{ plural: "sets", kind: "Set" }] },
  {
    group: "a.example",
    version: "v1",
    resources: [
      { plural: "foobars", kind: "FooBar", singular: "foo", shortNames: ["fb"] },
      { plural: "fbs", kind: "Fb", singular: "fb2", shortNames: ["events"] },
    ],
  },
  {
    group: "b.example",
    version: "v1",
    resources: [{ plural: "fizzes", kind: "F", shortNames: ["fb"] }],
  },
  {
    group: "c.example",
    version: "v1",
    resources: [{ plural: "twins", kind: "A" }, { plural: "as", kind: "B", singular: "twins" }],
  },
];

async function server(): Promise<ServerResources> {
  const { fetch } = discoveryServer("v2", SERVED);
  using client = createClient({ server: "https://a.example" }, { fetch });
  return await discoveryClient(client).resources();
}

const CASES: Record<string, readonly string[]> = {
  // Plural and singular in any case, the core group first.
  pods: ["pods.v1"],
  Pod: ["pods.v1"],
  PODS: ["pods.v1"],
  events: ["events.v1", "events.v1.events.k8s.io"],
  event: ["events.v1", "events.v1.events.k8s.io"],
  // Short names in their own case; where several groups have one, the first group wins.
  po: ["pods.v1"],
  PO: [],
  hpa: ["horizontalpodautoscalers.v2.autoscaling", "horizontalpodautoscalers.v1.autoscaling"],
  fb: ["foobars.v1.a.example"],
  "fb.b.example": ["fizzes.v1.b.example"],
  "fb.b": ["fizzes.v1.b.example"],
  // A resource of a version that the server does not prefer.
  olds: ["olds.v1.autoscaling"],
  // Groups, complete or as a prefix; an exact group outranks a prefix.
  "events.events": ["events.v1.events.k8s.io"],
  "events.events.k8s.io": ["events.v1.events.k8s.io"],
  "hpa.auto": [
    "horizontalpodautoscalers.v2.autoscaling",
    "horizontalpodautoscalers.v1.autoscaling",
  ],
  "sets.apps": ["sets.v1.apps"],
  "sets.app": ["sets.v1.apps.kruise.io", "sets.v1.apps"],
  "sets.k8s": [],
  // Versions.
  "horizontalpodautoscalers.v1.autoscaling": ["horizontalpodautoscalers.v1.autoscaling"],
  "hpa.v1.autoscaling": ["horizontalpodautoscalers.v1.autoscaling"],
  "horizontalpodautoscalers.v3.autoscaling": [],
  "horizontalpodautoscalers.v1.auto": [],
  "pods.v1.": ["pods.v1"],
  "pods.v1": [],
  // Kinds, where no name matches.
  FooBar: [],
  "FooBar.a.example": ["foobars.v1.a.example"],
  "foobar.a.example": ["foobars.v1.a.example"],
  "FooBar.v1.a.example": ["foobars.v1.a.example"],
  PodList: [],
  "F.b.example": ["fizzes.v1.b.example"],
  // Two resources with equal rights.
  twins: ["twins.v1.c.example", "as.v1.c.example"],
};

for (const [argument, expected] of Object.entries(CASES)) {
  Deno.test(`mapping ${argument} gives ${expected.join(", ") || "nothing"}`, async () => {
    const mappings = mappingsOf(await server(), argument);
    assert.deepEqual(mappings.map(({ resource }) => resource.id), expected);
    const preferred = argument === "twins" ? [false, false] : expected.map((_, i) => i === 0);
    assert.deepEqual(mappings.map((mapping) => mapping.preferred), preferred);
  });
}

Deno.test("a name that two resources of one version share is ambiguous", async () => {
  const { fetch } = discoveryServer("v2", SERVED);
  using client = createClient({ server: "https://a.example" }, { fetch });
  await assert.rejects(discoveryClient(client).resourceFor("twins"), (error) => {
    assert.ok(error instanceof AmbiguousResourceError);
    assert.match(
      error.message,
      /"twins" is: twins\.v1\.c\.example, as\.v1\.c\.example match alike/,
    );
    return true;
  });
});

for (
  const [argument, name, suggestions] of [
    ["podz", "podz", ["pods"]],
    ["opds", "opds", ["pods", "olds"]],
    ["pods.v1", "pods", ["pods"]],
    ["evnets", "evnets", ["events", "events.events.k8s.io"]],
    ["sets.foo", "sets", ["sets.apps.kruise.io", "sets.apps"]],
    ["PO", "PO", ["pods"]],
    ["zebra", "zebra", []],
  ] as const
) {
  Deno.test(`a miss of ${argument} says so as kubectl does, and suggests ${suggestions.join(", ") || "nothing"}`, async () => {
    const error = noMatch(await server(), argument);
    assert.deepEqual(error.suggestions, suggestions);
    const quoted = suggestions.map((each) => `"${each}"`).join(" or ");
    assert.equal(
      error.message,
      `the server doesn't have a resource type "${name}"` +
        (quoted ? `; did you mean ${quoted}?` : ""),
    );
  });
}

Deno.test("an empty argument is refused", async () => {
  const known = await server();
  for (const bad of ["", ".apps", "."]) {
    assert.throws(() => mappingsOf(known, bad), /Cannot look up a resource: it must be named as/);
  }
});
