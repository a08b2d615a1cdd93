/**
 * Internals of `@xca/apimachinery/base` for the other packages of this repository. Not public API:
 * no compatibility is promised.
 *
 * @module
 */
export { withDefaults, withoutUndefined } from "./with_defaults.ts";
export { attempt } from "./errors/attempt.ts";
export { ignoreRejection } from "./errors/ignore_rejection.ts";
export { causesOf, isInstance, textMember } from "./errors/error_chain.ts";
export {
  MemberCursor,
  parseAt,
  skipSpace,
  skipValue,
  spells,
  stringAt,
  ValueSkipper,
} from "./json/json_scan.ts";
export { findStagedNewline, prepareStage, stage, stageIsAscii } from "./json/json_stage.ts";
export { hintUnlessLogging } from "./errors/log_hint.ts";
export { beforeAbort } from "./time/before_abort.ts";
export { LoopShare, type NestedSteps, runAll, runNested, type Work } from "./time/loop_share.ts";
export { loopTurns, noteLoopTurn } from "./time/loop_turns.ts";
export { LzDictionary, MAX_DICTIONARY_BYTES, MAX_PACKED_TEXT_BYTES } from "./json/lz_dictionary.ts";
export { isMarked, mark, markClass } from "./errors/mark.ts";
export { selectNames, unknownName } from "./name_list.ts";
export { checkOptionNames, described, type OptionNames } from "./option_names.ts";
export { LiveList } from "./live_list.ts";
export { OnDemand } from "./on_demand.ts";
export { parseJson } from "./json/parse_json.ts";
export { isAlone, release } from "./release.ts";
export { asciiSlice, utf8Slice } from "./json/text_slice.ts";
export { TimeoutQueue } from "./time/timeout_queue.ts";
export { TimeSlice } from "./time/time_slice.ts";
export { networkBytes, openFiles, processLimits, virtualBytes } from "./process_files.ts";
export { type ProcessUsage, processUsage } from "./process_usage.ts";
