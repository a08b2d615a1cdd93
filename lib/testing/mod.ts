/**
 * What tests of operators need: a clock that stands still.
 *
 * @module
 */
export { FakeClock } from "./fake_clock.ts";
