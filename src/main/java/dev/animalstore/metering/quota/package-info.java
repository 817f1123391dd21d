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
 *
 * <p><b>A third window</b>, such as one per week, has places that no compiler finds:
 *
 * <ul>
 *   <li>{@code quota.lua}: the order of {@code ARGV} is that of {@code QuotaScript.run}; the fields of {@code HMGET} are those of {@code unpack};
 *       the numbers of the result have their places in {@code QuotaScript.reply}, so append; {@code PEXPIREAT} must not come before the window's end.
 *   <li>The columns of {@code plan} and {@code api_key}, and their names in both triggers ({@code update of …}) of the first migration.
 *   <li>{@code metering.key}: {@code KeyQueries.query} selects columns in the order of the components of {@code KeyQueries.Row}.
 *   <li>{@code metering.gate}: {@code QuotaHeaders} writes {@code RateLimit-Policy} and {@code RateLimit}, and {@code Verdict} names the window.
 *   <li>{@code UsageReports} compares usage with the limit of the day; {@code demo.sql} writes the fields of the hash.
 *   <li>Both OpenAPI documents (patterns of {@code RateLimit}, limits and usage of a key), and the console's {@code KeyForm} and templates.
 * </ul>
 *
 * <p>The compiler leads from {@link dev.animalstore.metering.quota.Quota} and {@link dev.animalstore.metering.quota.Decision} to the rest:
 * {@code LocalLimiter}, {@code Plan.Limits}, {@code CachedKey}, {@code FailedAuthenticationLimit} and {@code ManagedKey}. Of the tests,
 * {@code QuotaModel} is the specification that the script is compared with.
 */
package dev.animalstore.metering.quota;
