// Mirrors `api/resource/suffix.go, suffixer`.

/** A map of the decimal suffixes of resource quantities to their powers of ten. */
export const DECIMAL_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);

/** A map of the binary suffixes of resource quantities to their powers of two. */
export const BINARY_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ["Ki", 10],
  ["Mi", 20],
  ["Gi", 30],
  ["Ti", 40],
  ["Pi", 50],
  ["Ei", 60],
]);

/** The message of the error about a text that is not a resource quantity. */
export const NO_QUANTITY: string = "quantities must match the regular expression " +
  "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** The message of the error about an unknown suffix of a resource quantity. */
export const NO_SUFFIX: string = "unable to parse quantity's suffix";
