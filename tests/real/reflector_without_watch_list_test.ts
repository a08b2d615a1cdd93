import { reflectorCases } from "./reflector_cases.ts";
import { realSuite } from "./suite.ts";

reflectorCases(realSuite({ apiserverFlags: ["--feature-gates=WatchList=false"] }), false);
