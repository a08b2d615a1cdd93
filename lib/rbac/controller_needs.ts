import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import type { ResourceType } from "@xca/apimachinery/meta";
import type {
  ControllerDefinition,
  SourceDefinition,
} from "../controller/definition/controller_definition.ts";
import { CALL_NEEDS, type ResourceUse } from "../controller/definition/resource_use.ts";
import type { AccessNeed } from "./access_need.ts";

/** The API group of the events that `context.events` records. */
const EVENTS_GROUP = "events.k8s.io";

/** Options of {@linkcode controllerNeeds}, which returns the accesses that a controller needs. */
export interface ControllerNeedsOptions {
  /**
   * The namespaces of those sources of a controller that name none, and of declared uses that name
   * none of a resource that the controller does not watch.
   *
   * @default all
   */
  readonly namespaces?: readonly string[] | undefined;
}

/**
 * Returns the accesses that a controller needs: `list` and `watch` of each source, those for the
 * API calls that it declares, and `update` of the finalizers of its own resource when it owns
 * objects or applies children.
 */
export function controllerNeeds(
  controller: ControllerDefinition,
  { namespaces }: ControllerNeedsOptions = {},
): AccessNeed[] {
  const { name, type, sources, uses = [] } = controller;
  const declared = uses.flatMap((use) => useNeeds(controller, use, namespaces));
  const owning = sources.some(({ relation }) => relation === "owns")
    ? "it owns objects, whose references to their owner block its deletion"
    : uses.some(({ calls }) => calls.some((call) => call in CALL_NEEDS && isOwned(call)))
    ? "it applies children, whose references to their owner block its deletion"
    : undefined;
  return [
    ...sources.flatMap((source) => sourceNeeds(name, source, namespaces)),
    ...declared,
    ...owning === undefined ? [] : inNamespaces(type, namespacesOf(controller, type, namespaces), {
      verb: "update",
      group: type.group,
      resource: `${type.plural}/finalizers`,
      part: "controller",
      controller: name,
      reason: owning,
      onlyEnforced: true,
    }),
  ];
}

function isOwned(call: string): boolean {
  return CALL_NEEDS[call as keyof typeof CALL_NEEDS].isOwned === true;
}

function sourceNeeds(
  controller: string,
  { relation, type, namespaces, fieldSelector }: SourceDefinition,
  ofOperator: readonly string[] | undefined,
): AccessNeed[] {
  const words = { for: "is for", owns: "owns", watches: "watches" } as const;
  const name = selectedName(fieldSelector);
  return ["list", "watch"].flatMap((verb) =>
    inNamespaces(type, namespaces ?? ofOperator, {
      verb,
      group: type.group,
      resource: type.plural,
      ...(name !== undefined && { name }),
      part: "controller",
      controller,
      reason: `it ${words[relation]} ${type.kind}`,
    })
  );
}

/**
 * Returns the name that a field selector requires of `metadata.name`; `undefined` when the selector
 * has no such requirement.
 *
 * @throws {TypeError} When the field selector is malformed.
 */
function selectedName(fieldSelector = ""): string | undefined {
  if (fieldSelector === "") return undefined;
  return parseFieldSelector(fieldSelector)
    .find(({ field, equal }) => field === "metadata.name" && equal)?.value;
}

function useNeeds(
  controller: ControllerDefinition,
  use: ResourceUse,
  ofOperator: readonly string[] | undefined,
): AccessNeed[] {
  const { type } = use;
  const namespaces = use.namespaces ?? namespacesOf(controller, type, ofOperator);
  return resourceNeeds(use, namespaces, (call) => ({
    part: "controller",
    controller: controller.name,
    reason: `it declares ${call} of ${type.kind}`,
  }));
}

/** The component of an operator that needs an access, and the reason for the need. */
type Origin = Pick<AccessNeed, "part" | "controller" | "reason">;

/**
 * Returns the accesses that a declared use of a resource needs, in the given namespaces, or in all
 * if `namespaces` is `undefined`. A call that {@linkcode CALL_NEEDS} does not list counts as an
 * RBAC verb.
 */
export function resourceNeeds(
  { type, calls, subresource, names = [undefined] }: Omit<ResourceUse, "names"> & {
    readonly names?: readonly (string | undefined)[] | undefined;
  },
  namespaces: readonly string[] | undefined,
  originOf: (call: string) => Origin,
): AccessNeed[] {
  const { group, plural } = type;
  return calls.flatMap((call) => {
    const own = subresource === undefined ? plural : `${plural}/${subresource}`;
    const { verbs = [], status = [], finalizers = [], events = [] } = call in CALL_NEEDS
      ? CALL_NEEDS[call as keyof typeof CALL_NEEDS]
      : { verbs: [call] };
    const origin = originOf(call);
    const need = (resource: string) => (verb: string): AccessNeed[] =>
      names.flatMap((name) =>
        inNamespaces(type, namespaces, {
          verb,
          group,
          resource,
          ...(name !== undefined && { name }),
          ...origin,
          ...(resource.endsWith("/finalizers") && { onlyEnforced: true }),
        })
      );
    return [
      ...verbs.flatMap(need(own)),
      ...status.flatMap(need(`${plural}/status`)),
      ...finalizers.flatMap(need(`${plural}/finalizers`)),
      ...events.flatMap((verb) => eventNeeds(type, namespaces, { verb, ...origin })),
    ];
  });
}

/**
 * Returns the needed accesses by one verb to the events about objects of a resource; events about
 * cluster-scoped objects are in the namespace `default`.
 */
function eventNeeds(
  { scope }: ResourceType,
  namespaces: readonly string[] | undefined,
  need: Origin & { readonly verb: string },
): AccessNeed[] {
  const places = scope === "Cluster" ? ["default"] : namespaces ?? [""];
  return places.map((namespace) => ({
    ...need,
    group: EVENTS_GROUP,
    resource: "events",
    namespace,
  }));
}

/**
 * Returns the namespaces in which a controller watches a resource, or those of the operator if the
 * controller does not watch the resource; `undefined` for all.
 */
function namespacesOf(
  { sources }: ControllerDefinition,
  type: ResourceType,
  ofOperator: readonly string[] | undefined,
): readonly string[] | undefined {
  const same = sources.filter((source) => source.type.id === type.id);
  if (same.length === 0) return ofOperator;
  const places = same.map(({ namespaces }) => namespaces ?? ofOperator);
  if (places.includes(undefined)) return undefined;
  return [...new Set(places.flatMap((each) => each ?? []))];
}

function inNamespaces(
  { scope }: ResourceType,
  namespaces: readonly string[] | undefined,
  need: Omit<AccessNeed, "namespace">,
): AccessNeed[] {
  const places = scope === "Cluster" ? [""] : namespaces ?? [""];
  return places.map((namespace) => ({ ...need, namespace }));
}
