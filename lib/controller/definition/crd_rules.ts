import type { UnstructuredObject } from "@xca/apimachinery/meta";
import type { ObjectRule, OperatorWebhook } from "./operator_webhook.ts";

/** The part of a CustomResourceDefinition that names its kind and has its schemas. */
interface Definition extends UnstructuredObject {
  readonly spec?: {
    readonly group?: string;
    readonly names?: { readonly kind?: string };
    readonly versions?: readonly DefinedVersion[];
  };
}

interface DefinedVersion {
  readonly name?: string;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
}

interface Schema {
  readonly "x-kubernetes-validations"?: readonly ObjectRule[];
}

/**
 * Reports whether a CustomResourceDefinition defines the group and kind of a webhook's resource,
 * whatever versions it has.
 */
export function isDefinedBy({ type }: Pick<OperatorWebhook, "type">, crd: Definition): boolean {
  return crd.spec?.group === type.group && crd.spec?.names?.kind === type.kind;
}

/**
 * Returns the CustomResourceDefinitions of an operator, to which the CEL rules of its webhooks are
 * added as `x-kubernetes-validations`: in the schema of the version that the webhook of the kind is
 * for. Rules whose expression the schema has already, and rules with parameters, are left out. The
 * given definitions are not changed; a definition whose kind has no such rules is returned itself.
 *
 * @throws {TypeError} When the definition of a kind with rules lacks the version of the webhook's
 * resource, or a schema of that version.
 */
export function withRules(
  operator: string,
  crds: readonly UnstructuredObject[],
  webhooks: readonly OperatorWebhook[],
): UnstructuredObject[] {
  return crds.map((crd) =>
    webhooks
      .filter((each) => rulesInDefinition(each).length > 0 && isDefinedBy(each, crd))
      .reduce((result, webhook) => withRulesOf(operator, result, webhook), crd as Definition)
  );
}

/**
 * Returns the CEL rules of a webhook definition that a CustomResourceDefinition can contain: those
 * without parameters.
 */
function rulesInDefinition({ rules }: OperatorWebhook): readonly ObjectRule[] {
  return rules.filter(({ usesParameters }) => usesParameters !== true);
}

function withRulesOf(operator: string, crd: Definition, webhook: OperatorWebhook): Definition {
  const { type } = webhook;
  const { versions = [] } = crd.spec!;
  const own = versions.find(({ name }) => name === type.version);
  if (!own?.schema?.openAPIV3Schema) {
    throw new TypeError(
      `Cannot define operator ${operator}: the rules for ${type.kind} need a schema of version ` +
        `${type.version} in the definition ${crd.metadata.name}`,
    );
  }
  const schema = own.schema.openAPIV3Schema;
  const { "x-kubernetes-validations": others = [] } = schema;
  const isKnown = (rule: ObjectRule): boolean => others.some((each) => each.rule === rule.rule);
  const added = rulesInDefinition(webhook).filter((rule) => !isKnown(rule));
  const changed = {
    ...own,
    schema: {
      ...own.schema,
      openAPIV3Schema: { ...schema, "x-kubernetes-validations": [...others, ...added] },
    },
  };
  return {
    ...crd,
    spec: { ...crd.spec, versions: versions.map((each) => each === own ? changed : each) },
  };
}
