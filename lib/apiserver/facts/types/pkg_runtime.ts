// Written by `deno task facts:dump`.
export const PKG_RUNTIME: string = `{
"RawExtension":{"custom":true}
}`;
