/** The suffixes of decimal quantities, each with its power of ten. */
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

/** The suffixes of binary quantities, each with its power of two. */
export const BINARY_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ["Ki", 10],
  ["Mi", 20],
  ["Gi", 30],
  ["Ti", 40],
  ["Pi", 50],
  ["Ei", 60],
]);

/** What is said of a text that is no quantity at all. */
export const NO_QUANTITY: string = "quantities must match the regular expression " +
  "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** What is said of a suffix that is none of these. */
export const NO_SUFFIX: string = "unable to parse quantity's suffix";
