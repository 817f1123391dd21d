package dev.animalstore.console;

import dev.animalstore.admin.KeyId;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.request.QueryParameters;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/**
 * What the page of a key says after the operation that led to it. It says so only to the session that did it, by a signature in the address,
 * and only while the key is what the operation made of it.
 */
@Singleton
class Notices {
    private static final Map<String, String> TEXTS = Map.of(
            "changed", "The key was changed. The change holds from the next request on.",
            "unchanged", "Nothing was different, so nothing was changed.",
            "lifted", "The ban was lifted.",
            "revoked", "The key was revoked for good.");

    private final Sessions sessions;

    Notices(Sessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Leads to the page of a key, which says what was done.
     *
     * @param version that of the key afterwards
     */
    Response lead(RoutingContext exchange, KeyId id, String done, long version) {
        String seal = sessions.tell(Session.of(exchange), what(id.value(), done, version));
        return ConsolePages.redirect(ConsolePages.KEYS + "/" + id.value() + "?done=" + done + "&seal=" + seal);
    }

    /** What a page is to say of a key; empty if nothing was done, or something else was done since. */
    String find(RoutingContext exchange, QueryParameters query, ManagedKey key) {
        String done = query.find("done").orElse("");
        String seal = query.find("seal").orElse("");
        boolean told = sessions.isTold(Session.of(exchange), what(key.id(), done, key.version()), seal);
        boolean bannedAgain = done.equals("lifted") && key.ban() != null;
        return told && !bannedAgain ? TEXTS.getOrDefault(done, "") : "";
    }

    private static String what(long key, String done, long version) {
        return key + " " + done + " " + version;
    }
}
