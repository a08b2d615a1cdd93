import type { KindStrategy } from "../../machinery/strategy.ts";
import { subdomainNameProblems } from "../validation/names.ts";

/** What is particular to ServiceAccounts: their metadata is all that is checked. */
export const serviceAccountStrategy: KindStrategy = { validateName: subdomainNameProblems };
