import { reflectorCases } from "./reflector_cases.ts";
import { planeSuite } from "../suite.ts";

reflectorCases(planeSuite({ apiserverFlags: ["--feature-gates=WatchList=false"] }), false);
