/** The reference operator as a module for the command line. */
export { xcaOperator as default } from "../../../lib/xca/mod.ts";
