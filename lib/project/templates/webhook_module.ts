import type { KindNames } from "../scaffold/kind_names.ts";

/** The handlers that a webhook in a generated module has. */
export interface WebhookParts {
  /** Sets whether the generated webhook sets defaults beyond those of the schema. */
  readonly defaulting: boolean;
  /** Sets whether the generated webhook validates requests. */
  readonly validation: boolean;
}

/** Returns the text of a project's `webhooks/<kind>.ts`, the admission webhooks of a kind. */
export function webhookModule(names: KindNames, { defaulting, validation }: WebhookParts): string {
  const { kind, version, file, variable } = names;
  const imports = validation ? "field, webhookFor" : "webhookFor";
  const parts = [
    ...defaulting ? [DEFAULTER] : [],
    ...validation ? [VALIDATOR] : [],
  ];
  return `import { ${imports} } from "@xca/operator/webhook";
import { ${kind} } from "../api/${version}/${file}.ts";

/** The admission webhooks of ${kind}; what the schema can say belongs there. */
export const ${variable}Webhook = webhookFor(${kind})
${parts.join("\n")};
`;
}

const DEFAULTER = `  .defaulter(({ object }) => {
    object.spec.message = object.spec.message.trim();
  })`;

const VALIDATOR = `  .validator({
    create: ({ object, warn }) => {
      if (object.spec.message === "") return [field.required("spec.message")];
      if (object.spec.message.length > 500) warn("spec.message is long for a greeting");
    },
    update: ({ object }) => {
      if (object.spec.message === "") return [field.required("spec.message")];
    },
  })`;

/** Returns the text of a project's `webhooks/<kind>_test.ts`, the test of a kind's webhooks. */
export function webhookTestModule(names: KindNames, parts: WebhookParts): string {
  const { kind, file, variable } = names;
  const tests = [
    ...parts.defaulting ? [DEFAULTER_TEST] : [],
    ...parts.validation ? [VALIDATOR_TEST] : [],
  ];
  return `import assert from "node:assert/strict";
import { admit } from "@xca/operator/webhook";
import { ${variable}Webhook } from "./${file}.ts";

const metadata = { name: "first", namespace: "default" };

${tests.map((test) => test(kind, variable)).join("\n")}`;
}

const DEFAULTER_TEST = (kind: string, variable: string): string =>
  `Deno.test("${kind}: the message is stored without blanks around it", async () => {
  const { object } = await admit(${variable}Webhook, {
    object: { metadata, spec: { message: " hello " } },
  });
  assert.equal(object?.spec.message, "hello");
});
`;

const VALIDATOR_TEST = (kind: string, variable: string): string =>
  `Deno.test("${kind}: an empty message is refused", async () => {
  const { allowed, message } = await admit(${variable}Webhook, {
    object: { metadata, spec: { message: "" } },
  });
  assert.equal(allowed, false);
  assert.match(message ?? "", /spec\\.message: Required value/);
});
`;
