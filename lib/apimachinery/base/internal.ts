/**
 * Internals of `@xca/apimachinery/base` for the other packages of this repository. Not public API:
 * no compatibility is promised.
 *
 * @module
 */
export { attempt } from "./attempt.ts";
export { causesOf, isInstance, textMember } from "./error_chain.ts";
export {
  MemberCursor,
  parseAt,
  skipSpace,
  skipValue,
  spells,
  stringAt,
  ValueSkipper,
} from "./json_scan.ts";
export { findStagedNewline, prepareStage, stage, stageIsAscii } from "./json_stage.ts";
export { hintUnlessLogging } from "./log_hint.ts";
export { LoopShare, runAll, type Work } from "./loop_share.ts";
export { LzDictionary, MAX_DICTIONARY_BYTES, MAX_PACKED_TEXT_BYTES } from "./lz_dictionary.ts";
export { isMarked, mark } from "./mark.ts";
export { OnDemand } from "./on_demand.ts";
export { parseJson } from "./parse_json.ts";
export { isAlone, release } from "./release.ts";
export { asciiSlice, utf8Slice } from "./text_slice.ts";
export { TimeSlice } from "./time_slice.ts";
