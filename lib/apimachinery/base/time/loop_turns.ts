/** The number of turns of the event loop that were noted. */
let turns = 0;

/**
 * Notes that the event loop has called this process: a timer fired, or bytes arrived. For the code
 * that the event loop calls, before it runs anything else.
 */
export function noteLoopTurn(): void {
  turns++;
}

/**
 * Returns a number that differs from an earlier one when timers and sockets have had their turn
 * meanwhile. An equal number does not say that they had none: not all sources of events are noted.
 *
 * An elapsed time does not tell a wait from work that held the event loop, and to ask the event loop
 * itself takes a timer.
 */
export function loopTurns(): number {
  return turns;
}
