/** One header as it is sent. A list of them may name one header twice. */
export type HeaderPair = readonly [name: string, value: string];
