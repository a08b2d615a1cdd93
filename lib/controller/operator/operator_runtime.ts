/** The module of the functions that run operators, which {@linkcode OperatorLibrary.load} loads. */
export { createClient } from "../../client/create_client.ts";
export { runOperator } from "./run_operator.ts";
