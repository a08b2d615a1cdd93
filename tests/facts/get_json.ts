/** Reads a JSON answer of kube-apiserver. */
// deno-lint-ignore no-explicit-any
export type GetJson = (path: string, accept?: string) => Promise<any>;
