// Written by `deno task facts:dump`.
export const API_RESOURCE: string = `{
"Quantity":{"custom":true,"openapi":{"oneOf":[{"type":"string"},{"type":"number"}]}}
}`;
