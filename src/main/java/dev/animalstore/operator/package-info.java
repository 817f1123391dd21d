/**
 * What operators can do with keys, for {@code /admin} and the console: the operations, their constrained requests, the operators'
 * names and tokens, the audit, and the record of what was done with a key.
 *
 * <p>A change is committed in PostgreSQL first, which records it; then its version is announced in Redis, and from the next request on no replica uses
 * an older copy (docs/concepts.md). Every action leaves a line in the log and a count in the metrics. A secret appears
 * in neither, and in one response only.
 */
package dev.animalstore.operator;
