import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import { checkFields, type FieldSelector, type FieldTerm } from "../request/field_selector.ts";
import type { LabelDemand, LabelMatch } from "../request/label_selector.ts";
import type { ListOptions } from "../request/list_options.ts";
import type { StoredObject } from "../storage/arena.ts";
import { storedLabels } from "../storage/stored_labels.ts";
import { isStoredForm } from "./versions.ts";

/** Which objects of a resource a list or a watch is about. */
export class Selection {
  /** What all keys begin with. */
  readonly prefix: string;
  /** The one key that there can be. */
  readonly key: string | undefined;
  /** Whether it takes more than a look at the key. */
  readonly filters: boolean;
  /** Whether all objects below the path are selected. */
  readonly isEverything: boolean;
  readonly #resource: ApiResource;
  readonly #labels: LabelMatch | undefined;
  readonly #fields: FieldSelector | undefined;
  /** What the text of each selected object holds. */
  readonly #texts: readonly string[];

  private constructor(
    resource: ApiResource,
    namespace: string,
    options: Pick<ListOptions, "labels" | "fields">,
  ) {
    this.#resource = resource;
    this.#labels = options.labels;
    this.#fields = options.fields;
    const name = options.fields?.name;
    const scope = resource.namespaced ? namespace || namespaceOf(options.fields) : "";
    this.prefix = scope === "" ? "" : `${scope}/`;
    const isOne = name !== undefined && name !== "" && (!resource.namespaced || scope !== "");
    this.key = isOne ? this.prefix + name : undefined;
    this.isEverything = this.#labels === undefined && this.#fields === undefined;
    this.filters = this.#labels !== undefined ||
      (this.#fields?.terms ?? []).some((term) => !this.#isInKey(term, scope));
    // Of a custom kind, defaults are filled in as it is read.
    this.#texts = resource.customResourceDefinition
      ? []
      : (this.#fields?.terms ?? []).flatMap(textOf);
  }

  /** @throws {StatusError} 400 when a field cannot be selected by. */
  static of(
    resource: ApiResource,
    namespace: string,
    options: Pick<ListOptions, "labels" | "fields">,
  ): Selection {
    if (options.fields) checkFields(options.fields, resource);
    return new Selection(resource, namespace, options);
  }

  /** The labels that an index can find the selected objects by. */
  get demands(): readonly LabelDemand[] {
    // A conversion may change labels.
    return isStoredForm(this.#resource) ? this.#labels?.demands ?? [] : [];
  }

  /** Whether {@linkcode Selection.covers} has seen to a condition. */
  #isInKey({ field, equal, value }: FieldTerm, namespace: string): boolean {
    if (!equal) return false;
    if (field === "metadata.name") return this.key === this.prefix + value;
    return field === "metadata.namespace" && value === namespace && namespace !== "";
  }

  /** Whether a key is within the selection, as far as keys tell. */
  covers(key: string): boolean {
    return this.key === undefined ? key.startsWith(this.prefix) : key === this.key;
  }

  /**
   * Whether a stored object of a covered key is selected, as far as key and labels tell; `undefined`:
   * its fields must be looked at.
   */
  glance(stored: StoredObject): boolean | undefined {
    if (!isStoredForm(this.#resource)) return undefined;
    if (this.#labels && !this.#labels(storedLabels(stored.bytes()))) return false;
    if (!this.#fields) return true;
    const slash = stored.key.indexOf("/");
    let known = true;
    for (const { field, equal, value } of this.#fields.terms) {
      if (field === "metadata.name") {
        if ((stored.key.slice(slash + 1) === value) !== equal) return false;
      } else if (field === "metadata.namespace") {
        if ((slash < 0 ? "" : stored.key.slice(0, slash)) === value !== equal) return false;
      } else known = false;
    }
    if (known) return true;
    // A tenth of what parsing costs, and mostly enough.
    const text = this.#texts.length > 0 ? stored.text() : "";
    return this.#texts.every((each) => text.includes(each)) ? undefined : false;
  }

  /** Whether an object of a covered key is selected. */
  matches(object: ApiObject): boolean {
    const { metadata } = object;
    if (this.#labels && !this.#labels(metadata.labels ?? {})) return false;
    if (!this.#fields) return true;
    let fields: Readonly<Record<string, string>> | undefined;
    return this.#fields.terms.every(({ field, equal, value }) => {
      const found = field === "metadata.name"
        ? metadata.name
        : field === "metadata.namespace"
        ? metadata.namespace
        : (fields ??= this.#resource.strategy.selectableFields?.(object) ?? {})[field];
      return ((found ?? "") === value) === equal;
    });
  }
}

/**
 * How the value that a field must have stands in the text of an object. Only of a plain word is it
 * known: numbers and booleans are no strings there, and absent where they are zero.
 */
function textOf({ field, equal, value }: FieldTerm): string[] {
  if (!equal || field === "metadata.name" || field === "metadata.namespace") return [];
  const isWord = /^[\w./:-]*[A-Za-z][\w./:-]*$/.test(value) && value !== "true" &&
    value !== "false";
  return isWord ? [JSON.stringify(value)] : [];
}

/** A namespace that the fields narrow the selection to. */
function namespaceOf(fields: FieldSelector | undefined): string {
  const namespace = fields?.namespace ?? "";
  return namespace.includes("/") ? "" : namespace;
}
