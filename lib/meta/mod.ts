/**
 * Kubernetes' own nouns, without a network: objects, resources, keys, owners, versions, names, times.
 *
 * @module
 */
export {
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  Namespace,
  Node,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from "./builtin.ts";
export {
  formatLabelSelector,
  type LabelExpression,
  type LabelOperator,
  type LabelRequirement,
  type LabelSelector,
  labelSelectorOf,
  type LabelSelectorSpec,
  matchesLabels,
  parseLabelSelector,
} from "./label_selector.ts";
export { isDnsLabel, isPathSegment } from "./name_rules.ts";
export type {
  DeepReadonly,
  KubeList,
  KubeObject,
  ListMeta,
  ObjectMeta,
  OwnerReference,
  UnstructuredObject,
} from "./object.ts";
export {
  deletionKeyOf,
  formatKey,
  type Keyed,
  keyOf,
  type ObjectKey,
  type ObjectName,
  parseKey,
  parseKeyOf,
  type Tombstone,
} from "./object_key.ts";
export { controllerOf, refersTo, setControllerReference } from "./owner_reference.ts";
export {
  type ResourceType,
  resourceType,
  type ResourceTypeInit,
  type Scope,
} from "./resource_type.ts";
export { compareResourceVersions } from "./resource_version.ts";
export { formatMicroTime, formatTime } from "./time.ts";
