/**
 * CustomResourceDefinitions for conformance cases: each case has a group of its own.
 *
 * @module
 */
import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import type { Answer, CallOptions, Target } from "../target.ts";

/** The path of CustomResourceDefinitions. */
export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

type Plain = Record<string, unknown>;

/** Options of the kind of a case; everything else has its simplest form. */
export interface KindOptions {
  /** The schema of the only version. */
  readonly schema?: Plain;
  /** More fields of the only version. */
  readonly version?: Plain;
  /** All versions, in place of the only one. */
  readonly versions?: readonly Plain[];
  /** More fields of the spec. */
  readonly spec?: Plain;
  readonly names?: Plain;
  readonly metadata?: Plain;
  readonly plural?: string;
}

/** An object of any structure. */
export const ANY: Plain = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** A schema whose `spec` has these fields. */
export function specSchema(properties: Plain, more: Plain = {}): Plain {
  return { type: "object", properties: { spec: { type: "object", properties, ...more } } };
}

/** The definition of a kind in the group of a case. */
export function definitionOf(t: Target, options: KindOptions = {}): Plain {
  return definitionIn(`${t.unique("g")}.example.com`, options);
}

/** The definition of a kind in a group. */
export function definitionIn(group: string, options: KindOptions = {}): Plain {
  const plural = options.plural ?? "foos";
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, ...options.metadata },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind: plural[0]!.toUpperCase() + plural.slice(1, -1), ...options.names },
      versions: options.versions ?? [{
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: options.schema ?? ANY },
        ...options.version,
      }],
      ...options.spec,
    },
  };
}

/** Creates a definition without an effect, and gives the answer. */
export function tryDefinition(t: Target, options: KindOptions): Promise<Answer> {
  return t.post(`${DEFINITIONS}?dryRun=All`, definitionOf(t, options));
}

/** A custom kind that a case works with. */
export class CustomKind {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly #t: Target;

  constructor(t: Target, definition: Plain) {
    const spec = definition.spec as { group: string; names: { plural: string; kind: string } };
    this.#t = t;
    this.group = spec.group;
    this.plural = spec.names.plural;
    this.kind = spec.names.kind;
  }

  /** The name of the definition. */
  get name(): string {
    return `${this.plural}.${this.group}`;
  }

  /** The path of the definition. */
  get definitionPath(): string {
    return `${DEFINITIONS}/${this.name}`;
  }

  /** The path of the objects, or of what is below them. */
  path(rest = "", version = "v1"): string {
    return this.#t.path(`${this.plural}${rest}`, `${this.group}/${version}`);
  }

  /** Returns an object. The default name is `a`. */
  object(fields: Plain = {}, version = "v1"): Plain {
    const { metadata, ...rest } = fields;
    return {
      apiVersion: `${this.group}/${version}`,
      kind: this.kind,
      metadata: { name: "a", ...metadata as Plain },
      ...rest,
    };
  }

  /** Creates an object. */
  create(fields: Plain = {}, query = "", options?: CallOptions): Promise<Answer> {
    return this.#t.post(this.path() + query, this.object(fields), options);
  }

  /** A version from which a watch has all that follows. */
  async watchableFrom(version = "v1"): Promise<string> {
    await this.#t.untilCached(this.path("", version));
    const { body } = await this.#t.get(this.path("", version), { unrecorded: true });
    return body.metadata.resourceVersion;
  }

  /** Waits until the definition is as wanted. */
  async waitFor(isRight: (status: Plain, code: number) => boolean): Promise<void> {
    // The real server cleans up few definitions at a time, and looks at each every five seconds.
    await until(async () => {
      const { body, code } = await this.#t.get(this.definitionPath, { unrecorded: true });
      return isRight(body.status, code);
    }, `that ${this.name} is as wanted`);
  }

  /** Waits until an object is as wanted. */
  // deno-lint-ignore no-explicit-any -- the body of an answer.
  async waitForObject(name: string, isRight: (object: any) => boolean): Promise<void> {
    await until(async () => {
      const { body } = await this.#t.get(this.path(`/${name}`), { unrecorded: true });
      return isRight(body);
    }, `that ${name} of ${this.name} is as wanted`);
  }

  /** Waits until a condition of the definition has a status. */
  waitForCondition(type: string, wanted = "True"): Promise<void> {
    return this.waitFor((status) => conditionOf(status, type)?.status === wanted);
  }

  /** Waits until requests to the resource are answered. */
  async waitUntilServed(version = "v1"): Promise<void> {
    await until(async () => {
      const path = `/apis/${this.group}/${version}/${this.plural}`;
      const { code } = await this.#t.get(`${path}?limit=1`, { unrecorded: true });
      return code !== 404;
    }, `that ${this.name} is served`);
  }
}

function conditionOf(status: Plain, type: string): { status: string } | undefined {
  const conditions = status?.conditions as { type: string; status: string }[] | undefined;
  return conditions?.find((condition) => condition.type === type);
}

/** Runs a part of a case with a kind that is served, and deletes its definition at the end. */
export async function withKind(
  t: Target,
  options: KindOptions,
  run: (kind: CustomKind) => Promise<void>,
): Promise<void> {
  const definition = definitionOf(t, options);
  const created = await t.post(`${DEFINITIONS}?fieldManager=maker`, definition, {
    unrecorded: true,
  });
  assert.equal(created.code, 201, JSON.stringify(created.body));
  const kind = new CustomKind(t, definition);
  try {
    await kind.waitForCondition("Established");
    const served = (definition.spec as { versions: { name: string; served: boolean }[] }).versions
      .find((version) => version.served);
    if (served) await kind.waitUntilServed(served.name);
    await run(kind);
  } finally {
    await t.delete(kind.definitionPath, undefined, { unrecorded: true });
  }
}
