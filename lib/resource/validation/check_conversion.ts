import { seededRandom, systemRandom } from "@xca/apimachinery/base";
import type { DefinedResource } from "../definition/defined_resource.ts";

/** Options of {@linkcode checkConversion}, which tests the conversion functions of a resource. */
export interface CheckConversionOptions {
  /**
   * The number of random objects that the check of a conversion generates for each pair of
   * versions.
   * @default {100}
   */
  readonly runs?: number;
  /**
   * The seed of the random objects that the check of a conversion generates; errors contain it.
   * @default a random seed
   */
  readonly seed?: number;
  /**
   * The versions whose objects are generated. If the stored version is not included, a conversion
   * may lose fields that only the stored version has; a write through an older version then deletes
   * them.
   *
   * @default all versions
   */
  readonly from?: readonly string[];
}

const RUNS = 100;

/**
 * Checks the conversion functions of a resource with random objects, for a test: an object of each
 * version is converted to the stored version and back (one of the stored version to each other
 * version and back), and must be the same as before, with its labels and annotations. Each
 * converted object must be valid in its version.
 *
 * @throws {ConversionError} For the first loss, the first invalid object and the first error of a
 * function; it has the path of the field and a small object that shows the problem.
 * @throws {TypeError} When the resource has no conversion functions, `from` names an unknown
 * version, or no object of a version can be generated, since its patterns or CEL rules are too
 * narrow.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkConversion, defineResource, s } from "@xca/operator/resource";
 *
 * const Disk = defineResource({
 *   group: "example.org",
 *   kind: "Disk",
 *   storedVersion: "v1",
 *   versions: {
 *     v1alpha1: {
 *       spec: s.object({ size: s.integer({ minimum: 0 }), note: s.optional(s.string()) }),
 *       convert: {
 *         toStored: ({ spec, ...rest }) => ({ ...rest, spec: { gibibytes: spec.size } }),
 *         fromStored: ({ spec, ...rest }) => ({ ...rest, spec: { size: spec.gibibytes } }),
 *       },
 *     },
 *     v1: { spec: s.object({ gibibytes: s.integer({ minimum: 0 }) }) },
 *   },
 * });
 * await assert.rejects(checkConversion(Disk, { seed: 1 }), /loses spec.note/);
 * ```
 */
export async function checkConversion(
  type: DefinedResource,
  { runs = RUNS, seed = Math.floor(systemRandom.next() * 2 ** 31), from }: CheckConversionOptions =
    {},
): Promise<void> {
  const { conversion, kind, version: stored } = type;
  if (conversion === undefined) {
    throw new TypeError(`Cannot check the conversion of ${kind}: its versions have no convert`);
  }
  const { ConversionCheck } = await import("./conversion_check.ts");
  const random = seededRandom(seed);
  const check = await ConversionCheck.of(type, conversion, random, seed);
  for (const version of from ?? conversion.versions) {
    if (!conversion.versions.includes(version)) {
      const known = conversion.versions.join(", ");
      throw new TypeError(`Cannot check version ${version} of ${kind}: versions are ${known}`);
    }
    const others = version === stored
      ? conversion.versions.filter((each) => each !== stored)
      : [stored];
    for (const other of others) check.run(version, other, runs);
  }
}
