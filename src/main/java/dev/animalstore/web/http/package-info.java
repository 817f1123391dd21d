/**
 * What holds for every request: its identifier, which are refused without any work, when a connection is closed, what proxies report, whose path
 * each is for ({@link dev.animalstore.web.http.Area}), the address of the client, who sent it, the order of filters, how many operations that block run at a
 * time, and the response to what fails outside of Quarkus REST. And whether the replica is ready, at {@code /}.
 *
 * <p>The proxy and the server do the rest of HTTP (docs/decisions/0010-connections.md).
 */
package dev.animalstore.web.http;
