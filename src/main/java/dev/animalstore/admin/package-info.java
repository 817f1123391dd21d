/**
 * What operators do with keys: issue, look, change, rotate, revoke, lift a ban. Under {@code /admin}, with a token of its own, outside the
 * public interface and its document.
 *
 * <p>A change is committed in PostgreSQL first; then its version is raised in Redis, and from the next request on no replica acts on an
 * older copy. If Redis does not answer for a second, the operator is answered all the same, the replicas' copies end with their cache time,
 * and the version is raised as soon as Redis is back, by any replica, also if this one has died. A ban is lifted in the same way, and meanwhile
 * each replica lifts the one that it has imposed by itself. Every action leaves a line in the log and a
 * count in the metrics; a secret appears in neither, and in one answer only.
 */
package dev.animalstore.admin;
