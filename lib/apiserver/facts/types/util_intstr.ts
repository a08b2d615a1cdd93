// Written by `deno task facts:dump`.
export const UTIL_INTSTR: string = `{
"IntOrString":{"custom":true,"openapi":{"format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}]}}
}`;
