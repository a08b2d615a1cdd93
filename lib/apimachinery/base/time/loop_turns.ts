/** The number of turns of the event loop that {@linkcode noteLoopTurn} has counted. */
let turns = 0;

/**
 * Counts a turn of the event loop: a timer fired, or bytes arrived. The callbacks of timers and
 * sockets call this function before they do anything else.
 */
export function noteLoopTurn(): void {
  turns++;
}

/**
 * Returns the number of counted turns of the event loop. If it differs from an earlier result,
 * timers and sockets have run in between. An equal number does not say that none have: not all
 * sources of events are counted.
 *
 * The time on a clock would not show this: it may have elapsed in a wait, or in work that held the
 * event loop.
 */
export function loopTurns(): number {
  return turns;
}
