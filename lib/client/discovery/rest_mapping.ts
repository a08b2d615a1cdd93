import { type ApiResource, resourcesOf, type ServerResources } from "./discovery_resource.ts";
import { parseResourceArgument, type ResourceName } from "./rest_mapping_argument.ts";

/** A resource of the server that matches a name or a kind in a lookup. */
export interface RestMapping {
  /** The resource of the server that matches the name or the kind. */
  readonly resource: ApiResource;
  /**
   * Reports whether the name or the kind means this resource by default: the resource in the
   * preferred version of the group that the server lists first. False for all candidates when two
   * match equally well.
   */
  readonly preferred: boolean;
}

/** A kind to look up in discovery, in any group or version or in certain ones. */
export interface KindName {
  /** The kind to look up, such as `Deployment`. */
  readonly kind: string;
  /** The API group of the kind; empty for the core group. @default any */
  readonly group?: string | undefined;
  /** The API version of the kind. @default any */
  readonly version?: string | undefined;
}

/**
 * Returns every resource of the server that a name may mean, the preferred one first, by kubectl's
 * rules:
 *
 * - a plural or a singular in any case; otherwise a short name in its exact case;
 * - then with a group, `deployments.apps`, or the beginning of one, `ingress.networking`; an exact
 *   group takes precedence;
 * - or with version and group, `deployments.v1.apps`, `pods.v1.`;
 * - otherwise a kind: `FooBar.example.org`, `FooBar.v1.example.org`.
 *
 * The result is empty when no resource matches.
 *
 * @throws {TypeError} When the argument is empty or begins with a dot.
 */
export function mappingsOf(server: ServerResources, argument: string): RestMapping[] {
  const { qualified, loose } = parseResourceArgument(argument);
  const all = resourcesOf(server);
  let found = qualified ? byName(all, qualified) : [];
  if (found.length === 0) found = byName(all, loose);
  if (found.length === 0 && qualified) found = byKindArgument(all, qualified);
  if (found.length === 0) found = byKindArgument(all, loose);
  return withPreference(found);
}

/**
 * Returns every resource of the server whose objects are of a kind, the preferred one first; empty
 * when there is none.
 */
export function kindMappingsOf(server: ServerResources, name: KindName): RestMapping[] {
  const { kind, group, version } = name;
  return withPreference(
    resourcesOf(server).filter((resource) =>
      resource.kind === kind && (group === undefined || resource.group === group) &&
      (version === undefined || resource.version === version)
    ),
  );
}

/**
 * Returns the found resources, given in the order of their priority, as mappings. The first one is
 * preferred, unless the second one is of the same group and version and so matches equally well.
 */
function withPreference(found: readonly ApiResource[]): RestMapping[] {
  const [first, second] = found;
  const clear = first?.apiVersion !== second?.apiVersion;
  return found.map((resource, i) => ({ resource, preferred: i === 0 && clear }));
}

function byName(all: readonly ApiResource[], given: ResourceName): ApiResource[] {
  const { name, group, version } = expandShortName(all, given);
  const lower = name.toLowerCase();
  const named = all.filter((resource) =>
    (resource.plural === lower || resource.singular === lower) &&
    (!version || resource.version === version)
  );
  if (!group) return named;
  const exact = named.filter((resource) => resource.group === group);
  if (exact.length > 0 || version) return exact;
  return named.filter((resource) => resource.group.startsWith(group));
}

/**
 * Returns the resource name with a short name replaced by the plural and group of its resource;
 * unchanged when no resource has the short name, or the name is a plural or singular. The group may
 * be cut to its beginning; a resource of exactly that group takes precedence. Of several resources
 * with the short name, uses the one whose group the server lists first.
 */
function expandShortName(all: readonly ApiResource[], given: ResourceName): ResourceName {
  const { name, group, version } = given;
  const inGroup = all.filter((resource) => !group || resource.group === group);
  if (inGroup.some(({ plural, singular }) => plural === name || singular === name)) return given;
  const has = ({ shortNames }: ApiResource): boolean => shortNames.includes(name);
  const long = inGroup.find(has) ??
    all.find((resource) => resource.group.startsWith(group) && has(resource));
  return long ? { name: long.plural, group: long.group, version } : given;
}

/**
 * Returns the resources of the kind that a user typed, as it is or in lower case. A kind without a
 * group is searched in the core group.
 */
function byKindArgument(all: readonly ApiResource[], given: ResourceName): ApiResource[] {
  const { name, group, version } = given;
  return all.filter((resource) =>
    resource.group === group && (!version || resource.version === version) &&
    (resource.kind === name || resource.kind.toLowerCase() === name)
  );
}
