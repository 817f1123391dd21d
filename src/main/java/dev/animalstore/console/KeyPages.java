package dev.animalstore.console;

import dev.animalstore.admin.KeyOperations;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.usage.UsageReports;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The pages of a key. If an operation is not possible for the key, the key's page is shown instead of the operation's form. */
@Singleton
class KeyPages {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;

    private final KeyOperations keys;
    private final UsageReports usage;
    private final ConsolePages pages;
    private final Clock clock;

    KeyPages(KeyOperations keys, UsageReports usage, ConsolePages pages, Clock clock) {
        this.keys = keys;
        this.usage = usage;
        this.pages = pages;
        this.clock = clock;
    }

    /** Shows a key, with the notice of an operation or the errors of a form. */
    Response key(RoutingContext exchange, int status, ManagedKey key, KeyForm form, String notice) {
        KeyView view = view(key);
        LocalDate today = LocalDate.ofInstant(view.now(), ZoneOffset.UTC);
        UsageChart chart = UsageChart.of(usage.ofKey(key.id(), today.minusDays(UsageChart.DAYS - 1L), today), today);
        KeyForm lift = form.renewed(key, keys.plans());
        return ConsolePages.show(status, Templates.key(frame(exchange, key.owner()), view, chart, notice, lift));
    }

    /** Shows the form of a change. */
    Response change(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return view(key).changeable()
                ? ConsolePages.show(
                        status,
                        Templates.change(frame(exchange, "Change " + key.owner()), view(key), form, keys.plans()))
                : keyInstead(exchange, status, key, form);
    }

    /** Shows the form of a rotation. */
    Response rotation(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return view(key).rotatable()
                ? ConsolePages.show(status, Templates.rotate(frame(exchange, "Rotate " + key.owner()), view(key), form))
                : keyInstead(exchange, status, key, form);
    }

    /** Shows the form of a revocation. */
    Response revocation(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return view(key).changeable()
                ? ConsolePages.show(status, Templates.revoke(frame(exchange, "Revoke " + key.owner()), view(key), form))
                : keyInstead(exchange, status, key, form);
    }

    /** Shows the key with its new secret. */
    Response rotated(RoutingContext exchange, ManagedKey key) {
        return ConsolePages.show(CREATED, Templates.newKey(frame(exchange, "The new key"), key));
    }

    /** Shows that a form was already used, and what it did to the key. */
    Response alreadySent(RoutingContext exchange, long key, String done) {
        return ConsolePages.show(CONFLICT, Templates.alreadySent(frame(exchange, "Already done"), key, done));
    }

    private Response keyInstead(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return status == OK ? ConsolePages.redirect(view(key).path()) : key(exchange, status, key, form, "");
    }

    private Frame frame(RoutingContext exchange, String title) {
        return pages.frame(exchange, title, "keys");
    }

    private KeyView view(ManagedKey key) {
        return new KeyView(key, clock.instant());
    }
}
