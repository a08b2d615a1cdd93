// Mirrors `endpoints/discovery/root.go, rootAPIsHandler`.
import { formatGroupResource } from "@xca/apimachinery/internal/values";
import { compareVersions } from "../machinery/compare_versions.ts";
import type { ApiResource } from "../machinery/resource.ts";
import { builtinResources } from "./builtin_resources.ts";

/** An API group with its versions in the order of discovery, the preferred version first. */
export interface ApiGroup {
  readonly group: string;
  readonly versions: readonly string[];
}

/**
 * The table of all resources that the API server serves. Built-in ones exist from the start, in the
 * order of discovery; custom ones are added and removed.
 */
export class ResourceTable {
  readonly #rows = new Map<string, ApiResource>();
  readonly #kinds = new Map<string, ApiResource>();
  readonly #versions = new Map<string, ApiResource[]>();
  readonly #groupVersions = new Set<string>();
  readonly #unresolvable = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #generation = 0;

  /** Returns a resource table with the built-in resources. */
  static builtin(): ResourceTable {
    const table = new ResourceTable();
    table.add(builtinResources());
    return table;
  }

  /** The number of changes to the resource table so far, for caches of data derived from it. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Returns the row of the resource table for a resource, given by its plural name, in one version;
   * `undefined` if it is not served.
   */
  find(group: string, version: string, plural: string): ApiResource | undefined {
    return this.#rows.get(rowKey(group, version, plural));
  }

  /**
   * Reports whether a custom resource exists but cannot be served, because the CA bundle of its
   * conversion webhook is invalid.
   */
  isUnresolvable(group: string, version: string, plural: string): boolean {
    return this.#unresolvable.has(rowKey(group, version, plural));
  }

  /** Returns the resource of a kind in one version; `undefined` if no resource has the kind. */
  findKind(group: string, version: string, kind: string): ApiResource | undefined {
    return this.#kinds.get(rowKey(group, version, kind));
  }

  /**
   * Returns the rows of the resource table for all versions of a resource, the preferred version
   * first; empty if the resource is not served.
   */
  versionsOf(group: string, plural: string): readonly ApiResource[] {
    return this.#versions.get(formatGroupResource({ group, resource: plural })) ?? [];
  }

  /**
   * Yields all rows of the resource table: those of built-in resources in the order of discovery,
   * then those of custom resources in the order of their addition. A row that {@linkcode
   * ResourceTable.add} replaces keeps its place; a row that was removed and added again is last.
   */
  all(): IterableIterator<ApiResource> {
    return this.#rows.values();
  }

  /**
   * Returns all API groups with resources in the order of discovery, those of custom resources last
   * and by name; the name of the core group is "".
   */
  groups(): readonly ApiGroup[] {
    const groups = new Map<string, Set<string>>();
    for (const { group, version } of this.#rows.values()) {
      const versions = groups.get(group);
      if (versions) versions.add(version);
      else groups.set(group, new Set([version]));
    }
    const made = [...groups].map(([group, versions]) => ({ group, versions: [...versions] }));
    const builtin = made.filter(({ group }) => this.#isBuiltin(group));
    const custom = made.filter(({ group }) => !this.#isBuiltin(group))
      .map(({ group, versions }) => ({ group, versions: versions.sort(compareVersions) }))
      .sort((a, b) => a.group < b.group ? -1 : 1);
    return [...builtin, ...custom];
  }

  #isBuiltin(group: string): boolean {
    for (const row of this.#rows.values()) {
      if (row.group === group) return row.customResourceDefinition === undefined;
    }
    return false;
  }

  /** Reports whether the table has a resource of an API group in one version. */
  serves(group: string, version: string): boolean {
    return this.#groupVersions.has(`${group}/${version}`);
  }

  /**
   * Returns the resources of an API group and version in the order of discovery, custom resources
   * last and by name; empty if the version is not served.
   */
  resourcesOf(group: string, version: string): readonly ApiResource[] {
    const rows = [...this.#rows.values()]
      .filter((row) => row.group === group && row.version === version);
    const custom = (row: ApiResource): boolean => row.customResourceDefinition !== undefined;
    return [
      ...rows.filter((row) => !custom(row)),
      ...rows.filter(custom).sort((a, b) => a.plural < b.plural ? -1 : 1),
    ];
  }

  /**
   * Adds resources to the table. A resource replaces the one of the same group, version and plural
   * name. Subscribers are notified once.
   */
  add(resources: Iterable<ApiResource>): void {
    for (const resource of resources) {
      const key = rowKey(resource.group, resource.version, resource.plural);
      this.#rows.set(key, resource);
      this.#unresolvable.delete(key);
    }
    this.#changed();
  }

  /**
   * Marks the given versions of a resource as known but not servable, until the resource is added
   * or removed.
   */
  addUnresolvable(group: string, plural: string, versions: readonly string[]): void {
    for (const version of versions) this.#unresolvable.add(rowKey(group, version, plural));
  }

  /**
   * Removes all versions of a resource from the table, and the marks of {@linkcode
   * ResourceTable.addUnresolvable}. Subscribers are notified unless the table has no version of the
   * resource.
   */
  remove(group: string, plural: string): void {
    for (const key of this.#unresolvable) {
      if (key.startsWith(`${group}/`) && key.endsWith(`/${plural}`)) this.#unresolvable.delete(key);
    }
    const rows = this.versionsOf(group, plural);
    if (rows.length === 0) return;
    for (const { version } of rows) this.#rows.delete(rowKey(group, version, plural));
    this.#changed();
  }

  /**
   * Subscribes a listener, which the table calls synchronously after each change. Disposing the
   * result ends the subscription.
   */
  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #changed(): void {
    this.#generation++;
    this.#kinds.clear();
    this.#versions.clear();
    this.#groupVersions.clear();
    for (const row of this.#rows.values()) {
      this.#kinds.set(rowKey(row.group, row.version, row.kind), row);
      this.#groupVersions.add(`${row.group}/${row.version}`);
      const key = formatGroupResource({ group: row.group, resource: row.plural });
      const versions = this.#versions.get(key) ?? [];
      versions.push(row);
      this.#versions.set(key, versions);
    }
    for (const versions of this.#versions.values()) {
      if (versions[0]!.customResourceDefinition === undefined) continue;
      versions.sort((a, b) => compareVersions(a.version, b.version));
    }
    for (const listener of this.#listeners) listener();
  }
}

function rowKey(group: string, version: string, name: string): string {
  return `${group}/${version}/${name}`;
}
