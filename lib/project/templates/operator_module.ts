/**
 * Returns the text of a new project's `operator.ts`, which has markers where `kubectl xca create`
 * inserts lines.
 */
export function operatorModule(name: string): string {
  return `import { defineOperator } from "@xca/operator";
// xca:imports -- kubectl xca create adds lines above this one

export default defineOperator({
  name: "${name}",
  controllers: [
    // xca:controllers
  ],
  webhooks: [
    // xca:webhooks
  ],
});
`;
}
