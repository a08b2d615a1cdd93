import { errorText, type Random } from "@xca/apimachinery/base";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import type { KubeObject } from "@xca/apimachinery/meta";
import type { DefinedResource } from "../definition/defined_resource.ts";
import type { ResourceConversion } from "../definition/resource_conversion.ts";
import { Sampler } from "../evolution/witness/sample_object.ts";
import { ConversionError } from "./conversion_error.ts";
import { difference } from "./difference.ts";
import type { ObjectValidator } from "./object_validator.ts";
import { patternText } from "./pattern_text.ts";
import { smaller } from "./smaller.ts";
import { validatorOf } from "./validate.ts";

/**
 * The largest number of random objects that the check of a conversion makes to find one valid
 * object; if none of them is valid, the check fails.
 */
const TRIES = 200;
/**
 * The largest number of smaller objects that are tried in place of an object that a conversion
 * changes.
 */
const SHRINKS = 500;

/**
 * The first change of an object by a conversion to another version and back, or the failure of the
 * conversion.
 */
interface Change {
  readonly field: string;
  readonly reason: string;
}

/** A version of the resource whose conversion is checked. */
interface Version {
  readonly schema: V1JSONSchemaProps;
  readonly validator: ObjectValidator;
}

/** The check of one resource's conversions with random objects. */
export class ConversionCheck {
  readonly #type: DefinedResource;
  readonly #conversion: ResourceConversion;
  readonly #versions: ReadonlyMap<string, Version>;
  readonly #random: Random;
  readonly #seed: number;

  private constructor(
    type: DefinedResource,
    conversion: ResourceConversion,
    versions: ReadonlyMap<string, Version>,
    random: Random,
    seed: number,
  ) {
    this.#type = type;
    this.#conversion = conversion;
    this.#versions = versions;
    this.#random = random;
    this.#seed = seed;
  }

  /**
   * Returns a check of a resource's conversions, after loading the validation code and compiling
   * the schemas of all versions.
   */
  static async of(
    type: DefinedResource,
    conversion: ResourceConversion,
    random: Random,
    seed: number,
  ): Promise<ConversionCheck> {
    const versions = new Map<string, Version>();
    for (const { name, schema } of type.crd.spec.versions) {
      const validator = await validatorOf({ crd: type.crd, version: name });
      versions.set(name, { schema: schema!.openAPIV3Schema!, validator });
    }
    return new ConversionCheck(type, conversion, versions, random, seed);
  }

  /**
   * Checks the conversion of `runs` random objects of a version to another version and back.
   *
   * @throws {ConversionError} For the first object that changes, or whose conversion is invalid or
   * fails.
   * @throws {TypeError} When no valid object can be generated.
   */
  run(version: string, other: string, runs: number): void {
    for (let count = 0; count < runs; count++) {
      const object = this.#sample(version);
      const change = this.#changeOf(object, other);
      if (change === undefined) continue;
      const small = this.#shrunk(object, version, other);
      const { kind } = this.#type;
      const { field, reason } = this.#changeOf(small, other) ?? change;
      throw new ConversionError(kind, {
        ...{ version, other, field, reason },
        object: small,
        seed: this.#seed,
      });
    }
  }

  /**
   * Returns a random valid object of a version of the checked resource.
   *
   * @throws {TypeError} When no valid object is found.
   */
  #sample(version: string): KubeObject {
    const { schema, validator } = this.#versions.get(version)!;
    const sampler = new Sampler(this.#random, patternText);
    const { spec, status } = schema.properties ?? {};
    const why = new Map<string, number>();
    for (let count = 0; count < TRIES; count++) {
      const mark = String(Math.floor(this.#random.next() * 1e6));
      const object = {
        apiVersion: `${this.#type.group}/${version}`,
        kind: this.#type.kind,
        metadata: { name: "a", annotations: { "example.org/mark": mark }, labels: { mark } },
        ...(spec && { spec: sampler.value(spec) }),
        ...(status && this.#random.next() < 0.5 && { status: sampler.value(status) }),
      };
      const complete = validator.complete(object);
      const problems = complete === undefined ? [] : validator.validate(complete);
      if (complete !== undefined && problems.length === 0) return complete;
      for (const { field, message } of problems) {
        const text = `${field}: ${message}`;
        why.set(text, (why.get(text) ?? 0) + 1);
      }
    }
    const [[most] = ["its metadata is malformed"]] = [...why].sort(([, a], [, b]) => b - a);
    throw new TypeError(
      `Cannot check the conversion of ${this.#type.kind}: none of ${TRIES} random objects of version ` +
        `${version} is valid, mostly for ${most}; leave the version out of from, and test its ` +
        "conversion by objects of your own",
    );
  }

  /**
   * Returns the change of an object by a conversion to another version and back, or the reason why
   * the conversion is invalid or fails; `undefined` for an unchanged object.
   */
  #changeOf(object: KubeObject, other: string): Change | undefined {
    const version = object.apiVersion!.split("/")[1]!;
    const path = `${version} to ${other}`;
    let [step, there, back] = [path, object, object];
    try {
      const { validator } = this.#versions.get(other)!;
      there = this.#conversion.convert(object, other);
      const [problem] = validator.validate(there);
      if (problem !== undefined) {
        const { field, message } = problem;
        return { field, reason: `the object is not valid in ${other}: ${message}` };
      }
      // The API server prunes converted objects.
      there = validator.complete(there) ?? there;
      step = `${other} to ${version}`;
      back = this.#conversion.convert(there, version);
    } catch (error) {
      return {
        field: "the object",
        reason: `its conversion from ${step} throws ${errorText(error)}`,
      };
    }
    const { validator } = this.#versions.get(version)!;
    return difference(comparable(object), comparable(validator.complete(back) ?? back));
  }

  /**
   * Shrinks an object that does not survive the conversion there and back: returns the smallest
   * valid object found, in at most {@linkcode SHRINKS} attempts, that does not survive it either.
   */
  #shrunk(object: KubeObject, version: string, other: string): KubeObject {
    const { validator } = this.#versions.get(version)!;
    let best = object;
    let steps = 0;
    const fails = (candidate: KubeObject): boolean =>
      steps++ < SHRINKS && validator.validate(candidate).length === 0 &&
      jsonEqual(validator.complete(candidate), candidate) &&
      this.#changeOf(candidate, other) !== undefined;
    for (;;) {
      const found = smaller(best, [["apiVersion"], ["kind"], ["metadata", "name"]]).find(fails);
      if (found === undefined) return best;
      best = found;
    }
  }
}

/**
 * Returns the fields of an object that a conversion must preserve: of the metadata, only labels and
 * annotations.
 */
function comparable(object: KubeObject): Record<string, unknown> {
  const { metadata, ...rest } = object;
  const { labels = {}, annotations = {} } = metadata;
  return { ...rest, metadata: { labels, annotations } };
}
