/**
 * Quotas: how many requests a subject may send per minute and per day. This package knows no keys, no plans and no HTTP. Its input is the
 * name of a subject and two limits, its output a {@link dev.animalstore.metering.quota.Decision}.
 *
 * <p><b>Algorithm.</b> Two fixed windows, each a count and an end. The minute opens with the first charged request and lasts 60 seconds.
 * The day is the calendar day in UTC. A request is charged to both windows or, if one has no room, to neither.
 *
 * <p><b>Bans.</b> Repeated refusals ban the subject for a while; {@link dev.animalstore.metering.quota.BanConfig} has the rules. Requests during a ban
 * are not charged, and do not prolong it.
 *
 * <p><b>Concurrency.</b> The state of a subject is one Redis hash, and one Lua script, {@code quota.lua}, decides and charges in a single
 * atomic step, on Redis's own clock. So the counts are exact whatever the number of replicas and of concurrent requests, and whatever the
 * replicas' clocks say. The script also says whether the caller's copy of the subject is
 * {@linkplain dev.animalstore.metering.quota.Reply.Outdated outdated} or the subject has {@linkplain dev.animalstore.metering.quota.Reply.Ended ended}.
 *
 * <p><b>Failure.</b> If Redis is unavailable, each replica enforces its share of every limit locally, in memory, and bans nobody. What it
 * admits is not in the counts.
 *
 * <p><b>Known limits.</b> One hash lives on one master of a cluster, so a single busy subject is limited by the capacity of that master. If
 * Redis loses its data, counts, strikes and bans start at 0, and usage that was not yet collected is lost.
 */
package dev.animalstore.metering.quota;
