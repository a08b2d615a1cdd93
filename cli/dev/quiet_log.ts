/**
 * A regular expression that matches the beginning of the lines of a text log, at level info, about
 * the start and the end of an operator's caches, webhooks and controllers, which `kubectl xca dev`
 * sums up in one line.
 */
const ROUTINE =
  /^I\d+ \S+ xca\.(cache\b|webhook\b|controller\]|controller\.\S+\] Controller \S+ (waits|works|stops|has stopped)\b)/;

/**
 * Returns a writer of log lines, for one line in each call, that leaves out information about
 * starts and stops.
 */
export function quietLog(write: (text: string) => void): (text: string) => void {
  return (text) => {
    if (!ROUTINE.test(text)) write(text);
  };
}
