/** In the making.
 *
 * @module
 */
export {};
