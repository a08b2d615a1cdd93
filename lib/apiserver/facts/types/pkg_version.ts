// Written by `deno task facts:dump`.
export const PKG_VERSION: string = `{
"Info":{"fields":[["buildDate","string","r"],["compiler","string","r"],["emulationMajor","string",""],["emulationMinor","string",""],["gitCommit","string","r"],["gitTreeState","string","r"],["gitVersion","string","r"],["goVersion","string","r"],["major","string","r"],["minCompatibilityMajor","string",""],["minCompatibilityMinor","string",""],["minor","string","r"],["platform","string","r"]]}
}`;
