/**
 * What holds for every request: its identifier, which are refused without any work, when a connection is closed, what proxies report, whose path
 * each is for ({@link dev.animalstore.web.http.Area}), the address of the client, who sent it, how many operations that block run at a
 * time, the response to every exception, CORS, and the log of requests. And whether the replica is ready, at {@code /}.
 *
 * <p>All of it acts on {@code /v1}, {@code /admin} and {@code /console}. Other paths are those of the resources of others, which respond as without
 * the engine; there only a request that a proxy may read in another way is refused.
 *
 * <p>The proxy and the server do the rest of HTTP (docs/decisions/0010-connections.md).
 */
package dev.animalstore.web.http;
