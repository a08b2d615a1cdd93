// Written by `deno task facts:dump`.
export const PKG_VERSION: string = `{
"Info":{"fields":[["major","string","r"],["minor","string","r"],["gitVersion","string","r"],["gitCommit","string","r"],["gitTreeState","string","r"],["buildDate","string","r"],["goVersion","string","r"],["compiler","string","r"],["platform","string","r"],["emulationMajor","string","o"],["emulationMinor","string","o"],["minCompatibilityMajor","string","o"],["minCompatibilityMinor","string","o"]]}
}`;
