/**
 * A single HTTP header, as sent or received: name and value. A list of pairs may name one header
 * twice.
 */
export type HeaderPair = readonly [name: string, value: string];
