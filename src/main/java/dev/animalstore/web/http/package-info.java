/**
 * What holds for every request before anything reads it: which are refused without any work, when a connection is closed, what proxies report,
 * whose path each is for ({@link dev.animalstore.web.http.Area}), the address of the client, and the order of filters. The proxy and the server
 * do the rest of HTTP (docs/decisions/0010-connections.md).
 */
package dev.animalstore.web.http;
