import { Command } from "@commander-js/extra-typings";
import type { GlobalFlags } from "../../global_flags.ts";
import { UsageError } from "../../usage_error.ts";

/** The values of the flag `-o` of `kubectl xca types`: the forms of the generated TypeScript. */
export const TYPES_FORMS = ["module", "interfaces"] as const;

/** A form of the TypeScript that `kubectl xca types` prints. */
export type TypesForm = typeof TYPES_FORMS[number];

/** The flags of `kubectl xca types`. */
export interface TypesFlags extends GlobalFlags {
  readonly output?: TypesForm | undefined;
  readonly apiVersion?: string | undefined;
}

/**
 * Returns the command `kubectl xca types`, which prints TypeScript for CustomResourceDefinitions:
 * schemas, types and definition, or interfaces alone. The caller adds the action.
 */
export function typesCommand(): Command<[string]> {
  return new Command("types")
    .summary("print TypeScript for a CustomResourceDefinition")
    .description(
      "Print a TypeScript module for CustomResourceDefinitions: of a file with one or more, of standard\n" +
        "input (-), or of the cluster, by name. The module is formatted as deno fmt does.\n\n" +
        "  module      the schemas as expressions of s, the types that follow from them, and the\n" +
        "              definition, which equals the given one: to keep the definition in TypeScript\n" +
        "              from now on (the default)\n" +
        "  interfaces  interfaces and resource types with the descriptions as comments: for clients of\n" +
        "              a definition that others keep",
    )
    .argument("<source>", "a file, - for standard input, or a name in the cluster")
    .option("-o, --output <form>", `form of the module: ${TYPES_FORMS.join(", ")}`, parseForm)
    .option(
      "--api-version <version>",
      "the version that the main types are of, such as v1beta1 (default: the storage version)",
    )
    .addHelpText("after", EXAMPLES) as unknown as Command<[string]>;
}

const EXAMPLES = `
Examples:
  # Keep an existing definition in TypeScript
  kubectl xca types crd.yaml > locks.ts

  # The types of a kind that the cluster serves
  kubectl xca types certificates.cert-manager.io -o interfaces > certificate.ts`;

function parseForm(value: string): TypesForm {
  const form = TYPES_FORMS.find((known) => known === value);
  if (form !== undefined) return form;
  throw new UsageError(
    `unknown form ${JSON.stringify(value)}: allowed are ${TYPES_FORMS.join(", ")}`,
  );
}
