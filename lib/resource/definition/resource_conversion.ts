import type { KubeObject } from "@xca/apimachinery/meta";

/** The functions that convert the objects of one version to the stored version and back. */
export interface VersionConversion<T extends KubeObject, Hub extends KubeObject> {
  /**
   * Converts an object of the version that has this function to the stored version. The function
   * may change the given object; the caller sets `apiVersion` and `kind` of the result. A webhook
   * takes only labels and annotations from the metadata of the result.
   */
  toStored(object: T): Hub;
  /**
   * Converts an object of the stored version to the version that has this function. The function
   * may change the given object; the caller sets `apiVersion` and `kind` of the result. A webhook
   * takes only labels and annotations from the metadata of the result.
   */
  fromStored(object: Hub): T;
}

/** The conversion of a resource's objects between its versions, by way of the stored version. */
export interface ResourceConversion {
  /** The API group of the resource. */
  readonly group: string;
  /** The kind of the resource's objects. */
  readonly kind: string;
  /** The names of the versions between which objects can be converted, the stored version last. */
  readonly versions: readonly string[];
  /**
   * Returns an object converted to a version, one of `versions`; an object of this version as a
   * copy. The given object is not changed. Throws the errors of the conversion functions unchanged.
   *
   * @throws {RangeError} When the object is of another group or kind, or a version is unknown.
   * @throws {TypeError} When a conversion function returns no object with metadata.
   */
  convert(object: KubeObject, version: string): KubeObject;
}

/** The data from which a {@linkcode ResourceConversion} is created. */
export interface ConversionInit {
  readonly group: string;
  readonly kind: string;
  readonly storedVersion: string;
  /** The conversion functions of each version except the stored one, by the name of the version. */
  // deno-lint-ignore no-explicit-any -- each version has types of its own.
  readonly functions: ReadonlyMap<string, VersionConversion<any, any>>;
}

/** Creates the conversion of a resource from the conversion functions of its versions. */
export function conversionOf(
  { group, kind, storedVersion, functions }: ConversionInit,
): ResourceConversion {
  const versions = Object.freeze([...functions.keys(), storedVersion]);
  const convert = (object: KubeObject, version: string): KubeObject => {
    const from = versionOf(object);
    for (const each of [from, version]) {
      if (versions.includes(each)) continue;
      throw new RangeError(
        `Cannot convert a ${kind} from ${object.apiVersion} to ${version}: ` +
          `known versions of group ${group} are ${versions.join(", ")}`,
      );
    }
    const copy = structuredClone(object);
    if (from === version) return copy;
    const { toStored } = functions.get(from) ?? {};
    const hub = toStored ? checked(toStored(copy), storedVersion, "toStored", from) : copy;
    const { fromStored } = functions.get(version) ?? {};
    return fromStored ? checked(fromStored(hub), version, "fromStored", version) : hub;
  };
  const versionOf = ({ apiVersion = "", kind: given }: KubeObject): string => {
    const [first, second] = apiVersion.split("/");
    if (first === group && given === kind && second !== undefined) return second;
    throw new RangeError(
      `Cannot convert ${apiVersion} ${given}: the conversion is of ${kind} of group ${group}`,
    );
  };
  const checked = (
    result: KubeObject,
    version: string,
    name: string,
    owner: string,
  ): KubeObject => {
    if (typeof result?.metadata === "object" && result.metadata !== null) {
      return { ...result, apiVersion: `${group}/${version}`, kind };
    }
    throw new TypeError(
      `Cannot convert a ${kind} to ${version}: ${name} of version ${owner} must return an object ` +
        "with metadata; keep the given one by { ...object, spec: ... }",
    );
  };
  return Object.freeze({ group, kind, versions, convert });
}
