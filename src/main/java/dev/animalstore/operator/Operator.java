package dev.animalstore.operator;

import dev.animalstore.metering.key.ApiKey;
import dev.animalstore.web.http.ClientAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.Response.Status;

/** An operator as the sender of one request, and what the audit is to say of that request. */
public final class Operator {
    /** In place of a name, if the sender has not signed in. No operator has it. */
    static final String NOBODY = "none";

    private static final String SENDER = Operator.class.getName();

    private final String name;
    private final boolean reader;

    /** That of the client, as in the failed-authentication limit. */
    final String address;

    /** The key of the request, or {@code null}. */
    ApiKey key;

    /** Whether the audit has the request. */
    boolean recorded;

    /** The status of what succeeded, which is the same under {@code /admin} and in the console, or {@code null}. */
    Status outcome;

    private Operator(String name, boolean reader, RoutingContext exchange) {
        this.name = name;
        this.reader = reader;
        address = ClientAddress.of(exchange.request().remoteAddress());
    }

    static void signIn(String name, boolean reader, RoutingContext exchange) {
        exchange.put(SENDER, new Operator(name, reader, exchange));
    }

    /** Who has sent a request; one who {@link #isSignedIn} or not. */
    public static Operator of(RoutingContext exchange) {
        Operator sender = exchange.get(SENDER);
        return sender == null ? new Operator(NOBODY, false, exchange) : sender;
    }

    /** Letters in lower case, digits and {@code -}. */
    public String name() {
        return name;
    }

    public boolean isSignedIn() {
        return !name.equals(NOBODY);
    }

    /** Whether an operator may change nothing. */
    public boolean isReader() {
        return reader;
    }

    void audit(ApiKey about, Status succeeded) {
        key = about;
        outcome = succeeded;
    }
}
