/** Returns the text of `operator.ts`, to which `create api` and `create webhook` add at the markers. */
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
