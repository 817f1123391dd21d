package dev.animalstore.console;

import dev.animalstore.admin.KeyId;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.request.QueryParameters;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/**
 * The notice that a key's page shows after an operation. It is shown only to the session that performed the operation, by a signature in the
 * address, and only while the key has the version that the operation produced.
 */
@Singleton
class Notices {
    private static final Map<String, String> TEXTS = Map.of(
            "changed", "The key was changed. The change applies from the next request on.",
            "unchanged", "There were no differences, so nothing was changed.",
            "lifted", "The ban was lifted.",
            "revoked", "The key was permanently revoked.");

    private final Sessions sessions;

    Notices(Sessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Redirects to the page of a key, which shows the notice.
     *
     * @param done the operation, one of those with a notice
     * @param version the version of the key after the operation
     */
    Response redirect(RoutingContext exchange, KeyId id, String done, long version) {
        String seal = sessions.signNotice(Session.of(exchange), signedText(id.value(), done, version));
        return ConsolePages.redirect(ConsolePages.KEYS + "/" + id.value() + "?done=" + done + "&seal=" + seal);
    }

    /** The notice of a request for a key's page; empty if there is none, or if the key has changed since. */
    String find(RoutingContext exchange, QueryParameters query, ManagedKey key) {
        String done = query.find("done").orElse("");
        String seal = query.find("seal").orElse("");
        boolean signed = sessions.isNotice(Session.of(exchange), signedText(key.id(), done, key.version()), seal);
        boolean bannedAgain = done.equals("lifted") && key.ban() != null;
        return signed && !bannedAgain ? TEXTS.getOrDefault(done, "") : "";
    }

    private static String signedText(long key, String done, long version) {
        return key + " " + done + " " + version;
    }
}
