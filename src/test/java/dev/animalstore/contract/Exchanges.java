package dev.animalstore.contract;

import dev.animalstore.contract.Exchange.Message;
import io.restassured.http.Header;
import io.restassured.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Exchanges and messages that conform to the document by default. */
final class Exchanges {
    static final String PET = "{\"id\":1,\"name\":\"Rex\",\"categoryId\":3,\"status\":\"sold\"}";
    private static final String TAG = "ETag: \"q7aH3c1rZ0WmB5yTg2KfVw\"";

    private static final List<String> METERED = List.of(
            "X-RateLimit-Limit: 60",
            "X-RateLimit-Remaining: 59",
            "X-Request-Id: 4d2b1f0e9c8a7b6d",
            "Cache-Control: private",
            "X-Content-Type-Options: nosniff",
            "X-RateLimit-Reset: 1795253460",
            "RateLimit-Policy: \"minute\";q=60;w=60, \"day\";q=1000;w=86400",
            "RateLimit: \"minute\";r=59;t=60, \"day\";r=999;t=43200");

    private Exchanges() {}

    static Exchange get(String target, int status, String body, String... headers) {
        return new Exchange("GET", target, message("", "Authorization: Bearer x"), status, response(body, headers));
    }

    /** A metered JSON response; the given headers replace the default ones of the same name. */
    static Message response(String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        Stream.concat(METERED.stream(), Stream.of("Content-Type: application/json;charset=UTF-8", TAG))
                .filter(header -> Stream.of(headers).noneMatch(other -> other.startsWith(name(header) + ":")))
                .forEach(all::add);
        return message(body, all.toArray(String[]::new));
    }

    static Message message(String body, String... headers) {
        return new Message(
                new Headers(Stream.of(headers)
                        .map(header -> new Header(
                                name(header), header.substring(name(header).length() + 2)))
                        .toList()),
                body);
    }

    private static String name(String header) {
        return header.substring(0, header.indexOf(':'));
    }

    static String error(String code, int status) {
        return "{\"code\":\"" + code + "\",\"message\":\"What is wrong.\",\"status\":" + status + "}";
    }
}
