/**
 * The operators' API: issue, list, change, rotate and revoke keys, and lift bans. It is under {@code /admin}, with its own token, and not
 * part of the public interface and its document.
 *
 * <p>A change is committed in PostgreSQL first; then its version is raised in Redis, and from the next request on no replica uses an older
 * copy. If Redis does not respond for a second, the operator gets the response nevertheless, the replicas' copies end with their cache
 * time, and any replica raises the version as soon as Redis is available again, even if this one has ended. A ban is lifted in the same
 * way; until then each replica lifts the ban that it has imposed locally. Every action leaves a line in the log and a count in the metrics.
 * A secret appears in neither, and in one response only.
 */
package dev.animalstore.admin;
