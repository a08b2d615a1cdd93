/** One HTTP header as it is sent: name and value. A list of pairs may name one header twice. */
export type HeaderPair = readonly [name: string, value: string];
