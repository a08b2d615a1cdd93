import type { KubeObject } from "@xca/apimachinery/meta";

/** The functions that convert the objects of one version to the stored version and back. */
export interface VersionConversion<T extends KubeObject, Hub extends KubeObject> {
  /**
   * Returns an object of the version in the stored version. The given object belongs to the function; `apiVersion`
   * of the result is set by the caller, and of its metadata only labels and annotations count.
   */
  toStored(object: T): Hub;
  /**
   * Returns an object of the stored version in the version. The given object belongs to the function; `apiVersion` of
   * the result is set by the caller, and of its metadata only labels and annotations count.
   */
  fromStored(object: Hub): T;
}

/** The conversion of a resource's objects between its versions, by way of the stored version. */
export interface ResourceConversion {
  /** The API group of the resource. */
  readonly group: string;
  /** The kind of the resource's objects. */
  readonly kind: string;
  /** The versions that objects can be converted from and to. */
  readonly versions: readonly string[];
  /**
   * Returns an object in another version, one of `versions`. The given object is not changed.
   *
   * @throws {RangeError} When the object is of another group or kind, or a version is unknown.
   * @throws {TypeError} When a conversion function returns no object.
   */
  convert(object: KubeObject, version: string): KubeObject;
}

/** The parts of a {@linkcode ResourceConversion}. */
export interface ConversionInit {
  readonly group: string;
  readonly kind: string;
  readonly storedVersion: string;
  /** The functions of each version but the stored one. */
  // deno-lint-ignore no-explicit-any -- each version has types of its own.
  readonly functions: ReadonlyMap<string, VersionConversion<any, any>>;
}

/** Returns the conversion of a resource from the functions of its versions. */
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
