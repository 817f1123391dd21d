/**
 * What operators can do with keys, for {@code /admin} and the console: the operations, their constrained requests, the operators'
 * names and tokens, the audit, and the record of what was done with a key.
 *
 * <p>A change is committed in PostgreSQL first; then its version is announced in Redis, and from the next request on no replica uses an older
 * copy. If Redis does not respond for a second, the operator gets the response nevertheless, and the replicas' copies end with their cache
 * time, or when Redis is back. A ban is lifted in Redis; while Redis is unavailable that is 503, and nothing is changed. Every action leaves a
 * line in the log and a count in the metrics. A secret appears in neither, and in one response only.
 */
package dev.animalstore.operator;
