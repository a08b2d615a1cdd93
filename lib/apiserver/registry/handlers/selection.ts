// Mirrors `storage/selection_predicate.go, SelectionPredicate`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../../machinery/resource.ts";
import { checkFields, type FieldSelector, type FieldTerm } from "../../request/field_selector.ts";
import type { LabelDemand, LabelMatch } from "../../request/label_selector.ts";
import type { ListOptions } from "../../request/list_options.ts";
import type { StoredObject } from "../../storage/arena.ts";
import { storedLabels } from "../../storage/stored_labels.ts";
import { fromStorage, isStoredForm } from "../objects/versions.ts";

/** A predicate on stored objects: the set of objects that a list or a watch selects. */
export class Selection {
  /**
   * The storage key prefix of all selected objects; empty if the selection is not limited to one
   * namespace.
   */
  readonly prefix: string;
  /** The only storage key that can be selected; `undefined` if there may be several. */
  readonly key: string | undefined;
  /** Reports whether the selection depends on more than the storage key of an object. */
  readonly filters: boolean;
  /** Reports whether all objects of the namespace or cluster are selected. */
  readonly isEverything: boolean;
  readonly #resource: ApiResource;
  readonly #labels: LabelMatch | undefined;
  readonly #fields: FieldSelector | undefined;
  /** Substrings that the JSON text of every selected object contains. */
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
    // Fields of custom objects may come from defaults, which the stored text lacks.
    this.#texts = resource.customResourceDefinition
      ? []
      : (this.#fields?.terms ?? []).flatMap(textOf);
  }

  /**
   * Creates the selection of a list or watch request.
   *
   * @throws {StatusError} 400 for an unsupported field.
   */
  static of(
    resource: ApiResource,
    namespace: string,
    options: Pick<ListOptions, "labels" | "fields">,
  ): Selection {
    if (options.fields) checkFields(options.fields, resource);
    return new Selection(resource, namespace, options);
  }

  /**
   * The labels that the selection requires, by which an index of stored labels can find the
   * selected objects; none if the objects are converted on reads.
   */
  get demands(): readonly LabelDemand[] {
    // A conversion may change labels, so that an index of stored labels does not apply.
    return isStoredForm(this.#resource) ? this.#labels?.demands ?? [] : [];
  }

  /** Reports whether {@linkcode Selection.covers} already checks a term of the field selector. */
  #isInKey({ field, equal, value }: FieldTerm, namespace: string): boolean {
    if (!equal) return false;
    if (field === "metadata.name") return this.key === this.prefix + value;
    return field === "metadata.namespace" && value === namespace && namespace !== "";
  }

  /** Reports whether an object with this storage key can be selected. */
  covers(key: string): boolean {
    return this.key === undefined ? key.startsWith(this.prefix) : key === this.key;
  }

  /**
   * Reports whether a stored object whose key is covered is selected. Returns a promise only if a
   * conversion webhook must be called.
   *
   * @throws {UndecodableError} If the conversion fails; a promise rejects with this error.
   */
  selects(stored: StoredObject): boolean | Promise<boolean> {
    const known = !this.filters || this.#glance(stored);
    if (known !== undefined) return known;
    const objects = fromStorage(this.#resource, [stored]);
    return objects instanceof Promise
      ? objects.then(([object]) => this.matches(object!))
      : this.matches(objects[0]!);
  }

  /**
   * Reports whether a stored object whose key is covered is selected, judged by its labels and
   * text; `undefined` if the object must be parsed or converted to decide this.
   */
  #glance(stored: StoredObject): boolean | undefined {
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
    // A text search costs a tenth of parsing, and rules most objects out.
    const text = this.#texts.length > 0 ? stored.text() : "";
    return this.#texts.every((each) => text.includes(each)) ? undefined : false;
  }

  /**
   * Reports whether the labels and fields of an object, in the API version of the request, are
   * selected. The object's storage key must be covered.
   */
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
 * Returns a list with the JSON text of a field's required value, which every selected object
 * contains; an empty list if this is not certain. It is certain only for plain words, since numbers
 * and booleans are not strings in JSON and are omitted when zero.
 */
function textOf({ field, equal, value }: FieldTerm): string[] {
  if (!equal || field === "metadata.name" || field === "metadata.namespace") return [];
  const isWord = /^[\w./:-]*[A-Za-z][\w./:-]*$/.test(value) && value !== "true" &&
    value !== "false";
  return isWord ? [JSON.stringify(value)] : [];
}

/** Returns the namespace that a field selector requires, or an empty text. */
function namespaceOf(fields: FieldSelector | undefined): string {
  const namespace = fields?.namespace ?? "";
  return namespace.includes("/") ? "" : namespace;
}
